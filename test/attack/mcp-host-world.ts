import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type HostLimits, McpHost, type McpServerOptions } from "../../packages/mcp/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SERVER = fileURLToPath(new URL("mcp-host-server.mjs", import.meta.url));

interface ServedSkill {
  readonly frontmatter?: Readonly<Record<string, unknown>>;
  readonly body?: string;
  readonly path?: string;
  readonly files?: Readonly<Record<string, string | { readonly base64: string }>>;
  /** Put over the entry of the list. */
  readonly entry?: Readonly<Record<string, unknown>>;
}

/** What the server of these tests has and does. */
export interface Behaviour {
  readonly skills?: Readonly<Record<string, ServedSkill>>;
  readonly tools?: readonly unknown[];
  readonly mode?: string;
  readonly serverInfo?: { readonly name?: string; readonly version?: string };
  /** A line on stdout before any message. */
  readonly stray?: string;
  /** What every call of a tool gives. */
  readonly result?: unknown;
  /** Methods that get no answer. */
  readonly silent?: readonly string[];
}

/** Short times, so that what never ends is over soon. */
const LIMITS: Partial<HostLimits> = { connectMs: 10_000, requestMs: 10_000, listMs: 10_000 };

export interface HostWorldOptions {
  readonly limits?: Partial<HostLimits>;
  readonly env?: Readonly<Record<string, string>>;
  /** More of the settings, by label. */
  readonly settings?: Readonly<Record<string, Partial<McpServerOptions>>>;
}

/** A host with these servers by label, in a folder of its own. */
export function hostWorld(
  servers: Readonly<Record<string, Behaviour>>,
  { limits, env = {}, settings = {} }: HostWorldOptions = {},
) {
  const folder = temporaryFolder();
  const fileOf = (label: string) => join(folder, `${label}.log`);
  const given = Object.entries(servers).map(([label, behaviour]) => {
    const told = join(folder, `${label}.json`);
    writeFileSync(told, JSON.stringify({ ...behaviour, file: fileOf(label) }));
    return [label, { command: process.execPath, args: [SERVER, told], ...settings[label] }];
  });
  const host = new McpHost({
    servers: Object.fromEntries(given) as Record<string, McpServerOptions>,
    cacheDirectory: join(folder, "cache"),
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    limits: { ...LIMITS, ...limits },
  });
  onTestFinished(() => host.close());
  const log = (label: string) =>
    existsSync(fileOf(label)) ? readFileSync(fileOf(label), "utf8").trim().split("\n") : [];
  return { host, folder, log };
}

/** Whether a process still does something; one that ended may wait for somebody to notice. */
export function isAlive(processId: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
  } catch {
    return false;
  }
}
