import { spawn } from "node:child_process";
import { relative, sep } from "node:path";

export interface CandidateSearch {
  /** Absolute. */
  readonly program: string;
  readonly root: string;
  /** Absolute, below the root. */
  readonly folder: string;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly maxFileBytes: number;
  readonly milliseconds: number;
  readonly signal: AbortSignal | undefined;
}

const OPTIONS =
  "--no-config --no-ignore --hidden --text --crlf --no-messages --files-with-matches --null --color=never --glob=!.git".split(
    " ",
  );
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Text, escaped signs, `.`, and `*`, `+`, `?` behind a `.`: what all engines read alike. */
const PLAIN = /^(?:[\w \-/:;,'"<>=@#%&~`!]|\\[.()[\]{}*+?|^$\\/-]|\.[*+?]?)+$/;

/** True when ripgrep finds at least every line that our own expression finds. */
export function isPlainPattern(pattern: string): boolean {
  return pattern.split(/(?<!\\)\|/).every((part) => PLAIN.test(part));
}

/**
 * The files that may hold a match, relative to the root. Only names are taken from ripgrep: each
 * file is then opened without following links and matched by our own expression, so that results
 * and order are the same without it, and a link that it was led through shows nothing. Undefined
 * when it cannot tell.
 */
export async function ripgrepCandidates({
  program,
  root,
  folder,
  pattern,
  ignoreCase,
  maxFileBytes,
  milliseconds,
  signal,
}: CandidateSearch): Promise<ReadonlySet<string> | undefined> {
  const argv = [
    ...OPTIONS,
    `--max-filesize=${maxFileBytes}`,
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    `--regexp=${pattern}`,
    "--",
    folder,
  ];
  return new Promise((resolve) => {
    const child = spawn(program, argv, {
      cwd: root,
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      timeout: Math.max(1, Math.ceil(milliseconds)),
      killSignal: "SIGKILL",
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => {
      // 1 means that there is none; anything else that it could not look everywhere.
      resolve(code === 0 || code === 1 ? namesIn(Buffer.concat(chunks), root) : undefined);
    });
  });
}

function namesIn(output: Buffer, root: string): ReadonlySet<string> {
  const names = output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
  return new Set(names.map((name) => relative(root, name).split(sep).join("/")));
}
