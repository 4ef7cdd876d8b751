/** What a process that is started on somebody's behalf gets of their environment without being told. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Names of the variables that are inherited. They say where programs, people, temporary files, displays, proxies,
 * certificates and package caches are; none of them is meant to hold a credential of a service.
 */
const inheritedNames = words(`
  PATH HOME USER LOGNAME SHELL TERM TMPDIR TMP TEMP LANG LANGUAGE TZ
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_DATA_DIRS
  DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  NPM_CONFIG_CACHE NPM_CONFIG_REGISTRY UV_CACHE_DIR
`);

const inheritedNamesOnWindows = words(`
  PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
  PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES ALLUSERSPROFILE PUBLIC COMPUTERNAME OS
  NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
`);

/** Variables that are written in small letters as well as in capitals. */
const eitherCase = /^(HTTPS?_PROXY|ALL_PROXY|NO_PROXY|NPM_CONFIG_\w+)$/;

/**
 * Environment variables a server's process inherits without being configured: what programs need to find themselves, their
 * user, their temporary folder, language, proxies and certificates. Nothing else, so that no credential leaks by accident.
 * `platform` is Node.js's name of the system; on Windows names are compared without case.
 */
export function inheritedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): Record<string, string> {
  const windows = platform === 'win32';
  const names = new Set(windows ? [...inheritedNames, ...inheritedNamesOnWindows] : inheritedNames);
  const isInherited = (name: string): boolean => {
    const upper = name.toUpperCase();
    if (/^LC_[A-Z]+$/.test(name)) return true;
    return names.has(windows || eitherCase.test(upper) ? upper : name);
  };
  const entries = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    // A value that begins so is a function some shells export, and would be run by them.
    return value !== undefined && !value.startsWith('()') && isInherited(name);
  });
  return Object.fromEntries(entries);
}
