import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer } from "@modelcontextprotocol/server";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { openSkills } from "@skillwright/core";
import { createSkillServer, serveHttp } from "@skillwright/mcp";
import { createRedactor, DEFAULT_POLICY } from "@skillwright/runtime";
import { Gate, denyApprover, openApprovals, openAudit } from "@skillwright/runtime/internal";

export type ContenderName = "ours" | "sdk";

export const TOKEN = "a-token-for-the-benchmark";

/** In a process of its own: serves the skills of a folder and says where, as a message to the parent. */
export async function serveContender(name: ContenderName, folder: string): Promise<void> {
  const started = performance.now();
  const port = await (name === "ours" ? serveOurs(folder) : serveSdk(folder));
  process.send?.({ port, milliseconds: performance.now() - started });
}

/** With all that belongs to it: token, policy and a record on the disk. */
async function serveOurs(folder: string): Promise<number> {
  const stateDirectory = join(folder, "state");
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const redactor = createRedactor({ env: process.env });
  const audit = openAudit({ file: join(stateDirectory, "audit.jsonl"), stateDirectory, redactor });
  const gate = new Gate({
    settings: DEFAULT_POLICY,
    places: { workingDirectory: folder, project: folder, home: folder },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "bench", terminalOnly: false }),
    approver: denyApprover,
    audit,
  });
  const server = createSkillServer({ skills, version: "1", gate, cwd: folder });
  await server.watch();
  return (await serveHttp(server, { token: TOKEN })).port;
}

/** As its documentation shows: a session is a server and a transport. */
async function serveSdk(folder: string): Promise<number> {
  const skills = await loadSkills(join(folder, "skills"));
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const listener = createServer((request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    void (known === undefined ? begin() : Promise.resolve(known)).then((transport) =>
      transport.handleRequest(request, response),
    );
  });
  async function begin(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      // The faster of its two ways to answer, and the one that ours takes for these calls.
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: "sdk", version: "1" });
    skills.attach(server);
    await server.connect(transport);
    return transport;
  }
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return (listener.address() as AddressInfo).port;
}
