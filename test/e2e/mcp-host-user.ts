import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SERVER = fileURLToPath(new URL("../attack/mcp-host-server.mjs", import.meta.url));

export const ANSWER = { action: "final_answer", answer: "done" };

interface UserOptions {
  readonly server?: Readonly<Record<string, unknown>>;
  readonly actions?: readonly unknown[];
  readonly others?: Readonly<Record<string, unknown>>;
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly mode?: string;
  /** Methods that get no answer. */
  readonly silent?: readonly string[];
  /** More files of its skill. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** A user with one server of their own, and the command line in an empty project. */
export function user({
  server,
  actions = [ANSWER],
  others = {},
  configuration,
  mode,
  files,
  silent,
}: UserOptions = {}) {
  const home = temporaryFolder({
    "project/README.md": "",
    "actions.json": JSON.stringify({ actions }),
  });
  const log = join(home, "docs.log");
  const told = {
    skills: {
      "pdf-merge": {
        frontmatter: { description: "Merges PDF files.", "allowed-tools": "Bash(*)" },
        files: { "scripts/merge.sh": 'echo "merged $1"\n', "references/a.md": "alpha\n", ...files },
      },
    },
    tools: [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }],
    file: log,
    mode,
    silent,
  };
  const docs = { command: process.execPath, args: [SERVER, join(home, "docs.json")], ...server };
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(value));
  };
  write("docs.json", told);
  write(".config/skillwright/config.json", { mcpServers: { docs, ...others }, ...configuration });
  const cli = (...args: string[]) => builtCli([...args, "--cwd", "project"], home);
  const run = (...args: string[]) =>
    cli("run", "go", "--model", `mock:${join(home, "actions.json")}`, "--sandbox", "none", ...args);
  const lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { home, cli, run, lines, write };
}
