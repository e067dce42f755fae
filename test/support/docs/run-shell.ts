import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentedBlock, ROOT } from "./documented-block.ts";
import { DocumentedHome } from "./documented-project.ts";
import { shellCommands, workflowCommands } from "./shell-commands.ts";

const BIN = join(ROOT, "packages/cli/bin/skillwright.cjs");

/** What the words of a page mean here. Nothing is looked up elsewhere, and no script of a package run. */
const PROLOGUE = `
skillwright() { "${process.execPath}" "${BIN}" "$@"; }
npx() { [ "$1" = skillwright ] || return 127; shift; skillwright "$@"; }
npm() { echo "npm is not run here" >&2; return 127; }
`;

export interface RanCommand {
  readonly block: DocumentedBlock;
  readonly command: string;
  readonly isLast: boolean;
  readonly exitCode: number;
  /** What a terminal shows, or stdout alone where the block says so. */
  readonly printed: string;
  readonly errors: string;
}

/** Runs the commands of a page in one shell, in the order in which they stand there. */
export async function runShell(blocks: readonly DocumentedBlock[]): Promise<RanCommand[]> {
  const session = new ShellSession();
  try {
    for (const block of blocks) session.add(block);
    return await session.run();
  } finally {
    session.dispose();
  }
}

type Step = Pick<RanCommand, "block" | "command" | "isLast"> & { readonly home: DocumentedHome };

class ShellSession {
  readonly #results = mkdtempSync(join(tmpdir(), "skillwright-docs-"));
  readonly #homes: DocumentedHome[] = [];
  readonly #script = [PROLOGUE];
  readonly #steps: Step[] = [];

  add(block: DocumentedBlock): void {
    const { project, setup, file } = block.directive;
    if (project !== undefined || this.#homes.length === 0) this.#enter(project ?? "sample");
    const commands = commandsOf(block);
    if (setup !== undefined) this.#command(block, setup, false);
    for (const [at, command] of commands.entries())
      this.#command(block, command, at === commands.length - 1);
    if (file === undefined) return;
    const stored = join(this.#results, `file-${this.#script.length}`);
    writeFileSync(stored, block.text);
    this.#script.push(`mkdir -p "$(dirname "${file}")"; cp "${stored}" "${file}"`);
  }

  async run(): Promise<RanCommand[]> {
    const env = this.#homes[0]?.environment;
    const child = spawn("bash", ["-c", this.#script.join("\n")], { env, timeout: 100_000 });
    let trouble = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble += text));
    await new Promise((resolve) => child.on("close", resolve));
    return this.#steps.map(({ home, ...step }, index) => {
      const result = (ending: string) => readIfThere(join(this.#results, `${index}${ending}`));
      return {
        ...step,
        exitCode: Number(result(".code") ?? -1),
        printed: home.named(result("") ?? trouble),
        errors: home.named(result(".errors") ?? ""),
      };
    });
  }

  dispose(): void {
    for (const home of this.#homes) home.dispose();
    rmSync(this.#results, { recursive: true, force: true });
  }

  #enter(project: string): void {
    const home = new DocumentedHome();
    this.#homes.push(home);
    this.#script.push(`export HOME="${home.path}"; cd "${home.project(project)}"`);
  }

  #command(block: DocumentedBlock, command: string, isLast: boolean): void {
    const place = join(this.#results, String(this.#steps.length));
    const errors = block.directive.output === "stdout" ? `"${place}.errors"` : "&1";
    const { [this.#homes.length - 1]: home } = this.#homes;
    if (home === undefined) throw new Error("there is no project yet");
    this.#script.push(
      `{\n${command}\n} >"${place}" 2>${errors} </dev/null\necho $? >"${place}.code"`,
    );
    this.#steps.push({ block, command, isLast, home });
  }
}

export function commandsOf({ language, text, directive }: DocumentedBlock): string[] {
  if (directive.file !== undefined) return [];
  if (language === "sh") return shellCommands(text);
  return language === "yaml" ? workflowCommands(text) : [];
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
