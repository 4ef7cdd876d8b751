/**
 * The suite's scenarios about skills. Trestle has no skills of its own, so they test the driver and the SDK that Trestle stands on, not
 * Trestle: whoever adds them one day finds the way that passes.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SKILLS_EXTENSION_ID, SkillsClient } from '@modelcontextprotocol/client/ext/skills';

/** Lists the skills of a server and, where `reads`, every file of each: one that is not what its entry says rejects. */
export async function lookAtSkills(url: string, reads: boolean): Promise<void> {
  const isModern = (process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '') >= '2026-07-28';
  const client = new Client(
    { name: 'trestle-conformance', version: '0.0.0' },
    {
      capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } },
      versionNegotiation: { mode: isModern ? 'auto' : 'legacy' },
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const host = new SkillsClient(client);
    const { skills } = await host.list();
    for (const skill of reads ? skills : []) {
      // Its description first: where that is not what the entry says, nothing else of it is read.
      await host.read(skill);
      const files = Array.isArray(skill.resources) ? skill.resources : [];
      for (const { uri } of files) if (uri !== skill.uri) await host.read(skill, uri);
    }
  } finally {
    await client.close();
  }
}
