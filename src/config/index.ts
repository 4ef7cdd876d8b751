/**
 * config, floor 2: who asked for which server. Reads and edits servers.json and settings.json, resolves references, makes
 * endpoints. Promises: one bad entry does not lose the others; a file that cannot be parsed is never written; comments
 * survive edits; files of other tools (`formats/`) are read, and written only where a person asks for it. May import base, and types of wire (endpoints) and policy (rules of tools). Reading is synchronous and fast: it stands on every command's path.
 */
export { adHocDefinition, foreignUrlDefinition } from './ad-hoc.ts';
export { type RegisteredEntry, registryDefinition } from './registry-definition.ts';
export type { AuthKind, AuthMember, DefinedAuth, ResolvedAuth } from './auth.ts';
export type { DefinedTransport, Definition, DefinitionSource, ResolvedServer } from './definition.ts';
export { identityHash } from './identity.ts';
export { definedIn, namesServer, serverVariables } from './environment-server.ts';
export { addEntry, type FileEdit, type NewEntry, removeEntry } from './edit.ts';
export { projectRegistryName } from './registry-name.ts';
export type { ConfigPlaces, ConfigView, Verdict, WaitingServer, WhyWaiting } from './config-view.ts';
export { layered } from './layers.ts';
export { loadConfig } from './load.ts';
export { loadProject, type ProjectServers } from './project.ts';
export { isInProject, projectFiles, type ProjectPlaces } from './project-files.ts';
export { referencedSecrets, referencedVariables } from './referenced.ts';
export { resolveDefinition } from './resolve-definition.ts';
export type { ResolveContext } from './where-it-runs.ts';
export { isSecretHeader, isSecretName, namedArgument } from './secrets.ts';
export { isSameDefinition } from './same-definition.ts';
export { isSameServer } from './same-server.ts';
export { loadServersFile, type ServersFile } from './servers-file.ts';
export { loadSettings, type Settings } from './settings.ts';
export { applyImport, type ImportDecision, type ImportedServer } from './formats/apply.ts';
export { findSources, importFolders } from './formats/find-sources.ts';
export { type FormatId, formatIds } from './formats/format.ts';
export type { InputQuestion } from './formats/inputs.ts';
export { type ConflictChoice, type ImportPlan, planImport, type PlannedServer } from './formats/plan.ts';
export { readSource, type SourceFile, type SourceProblem, type SourceReading } from './formats/read-source.ts';
export { formats } from './formats/table.ts';
export { nameOfAddress, nameOfCommand, nameOfPackage } from './formats/package-name.ts';
export { isPaste, type PastedServer, readPaste } from './formats/paste.ts';
export { beginsLikeLine } from './formats/paste-command.ts';
export { splitWords } from './formats/split-words.ts';
export { exportFormats, exportServers, type ExportFormat } from './formats/export.ts';
export { hostIds, hosts } from './formats/hosts.ts';
export { applyInstall, type InstallPlan, planInstall, planRemoval } from './formats/install.ts';
