import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, documentedPages, type DocumentedBlock, ROOT } from "./documented-block.ts";
import { DocumentedHome } from "./documented-project.ts";

/** The code of one block, with those that continue it. */
export interface DocumentedProgram {
  readonly name: string;
  readonly code: string;
  readonly project: string;
  /** What the page shows of its output, in order. */
  readonly shown: readonly string[];
}

export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function documentedPrograms(): DocumentedProgram[] {
  return documentedPages().flatMap((page) => programsOf(blocksOf(page)));
}

function programsOf(blocks: readonly DocumentedBlock[]): DocumentedProgram[] {
  const programs: DocumentedProgram[] = [];
  let isBehindCode = false;
  for (const { language, text, directive, page, line, isOutput } of blocks) {
    const last = programs.at(-1);
    if (language === "ts" && directive.continues === true && last !== undefined) {
      const shown = [...last.shown, ...commentedLines(text)];
      programs.splice(-1, 1, { ...last, code: `${last.code}\n${text}`, shown });
    } else if (language === "ts" && directive.skip === undefined) {
      const { project = "sample" } = directive;
      programs.push({ name: `${page}:${line}`, code: text, project, shown: commentedLines(text) });
    } else if (isOutput && isBehindCode && last !== undefined) {
      const shown = [...last.shown, ...text.trim().split("\n")];
      programs.splice(-1, 1, { ...last, shown });
    }
    isBehindCode = language === "ts";
  }
  return programs;
}

/** `console.log(…); // text` says what is printed. */
function commentedLines(text: string): string[] {
  const comments = text.matchAll(/^ *console\.log\(.*\); *\/\/ (.+)$/gm);
  return [...comments].map(([, shown = ""]) => shown);
}

/** The programs as a user of the published packages has them: checked and compiled in one go. */
export class CompiledPrograms {
  readonly #folder: string;

  constructor(programs: readonly DocumentedProgram[]) {
    const cache = join(ROOT, "node_modules/.cache/skillwright");
    mkdirSync(cache, { recursive: true });
    // Inside the workspace, so that packages resolve to what was built.
    this.#folder = mkdtempSync(join(cache, "docs-"));
    for (const program of programs) {
      // Without an import it would be no module, and its names everybody's.
      writeFileSync(this.#file(program, ".mts"), `${program.code}\nexport {};\n`);
    }
    writeFileSync(
      join(this.#folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(ROOT, "tsconfig.base.json"),
        compilerOptions: {
          composite: false,
          declaration: false,
          emitDeclarationOnly: false,
          noUnusedLocals: false,
          lib: ["es2023", "dom"],
        },
        files: programs.map((program) => this.#file(program, ".mts")),
      }),
    );
  }

  /** Gives what the compiler has to say. */
  compile(): string {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", this.#folder], {
      cwd: this.#folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  }

  async run(program: DocumentedProgram): Promise<ProgramRun> {
    const home = new DocumentedHome();
    try {
      const cwd = home.project(program.project);
      const env = home.environment;
      const file = this.#file(program, ".mjs");
      const child = spawn(process.execPath, [file], { cwd, env, timeout: 60_000 });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
      return { exitCode, stdout: home.named(stdout), stderr: home.named(stderr) };
    } finally {
      home.dispose();
    }
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file({ name }: DocumentedProgram, ending: string): string {
    return join(this.#folder, `${name.replaceAll(/[^\w-]+/g, "-")}${ending}`);
  }
}
