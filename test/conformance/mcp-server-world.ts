import { Client } from "@modelcontextprotocol/client";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/client/ext/skills";
import { openSkills, type OpenSkillsOptions } from "@skillwright/core";
import {
  createSkillServer,
  type HttpLimits,
  serveHttp,
  type SkillServerOptions,
} from "@skillwright/mcp";
import { onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

export const TOKEN = "a-token-for-tests";

export const SKILLS: Files = {
  "pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
  "pdf/references/guide.md": "# Guide\nFirst pages.\n",
  "pdf/references/Q&A ü.md": "Why?\n",
  "pdf/scripts/join.mjs": "console.log('joined', ...process.argv.slice(2));\n",
  "csv-folder/SKILL.md": skillText("csv", "Reads tables. Use for tables."),
};

export interface World extends Partial<SkillServerOptions> {
  readonly files?: Files;
  readonly open?: OpenSkillsOptions;
  readonly limits?: Partial<HttpLimits>;
}

/** A server over HTTP with these skills; gone when the test ends. */
export async function skillWorld({ files = SKILLS, open = {}, limits = {}, ...more }: World = {}) {
  const root = temporaryFolder(files);
  const skills = await openSkills({ roots: [root], ...open });
  const server = createSkillServer({ skills, version: "1.0.0", ...more });
  const http = await serveHttp(server, { token: TOKEN, limits });
  onTestFinished(async () => {
    await http.close();
    await server.close();
    await skills.close();
  });
  return { root, skills, server, http };
}

/** The official client, declaring that it reads skills itself. */
export function skillsClient(mode: "legacy" | "auto" = "legacy"): Client {
  return new Client(
    { name: "tests", version: "1" },
    {
      capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } },
      versionNegotiation: { mode },
    },
  );
}

/** One message by hand. */
export function post(url: string, message: unknown, headers: Files = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "by hand", version: "1" },
  },
} as const;

/** The id of a new session. */
export async function beginSession(url: string): Promise<string> {
  const response = await post(url, INITIALIZE);
  await response.text();
  const id = response.headers.get("mcp-session-id");
  if (id === null) throw new Error(`no session: ${response.status}`);
  await post(
    url,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { "mcp-session-id": id },
  );
  return id;
}
