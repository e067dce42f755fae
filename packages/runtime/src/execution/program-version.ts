import { trustedProgram } from "./trusted-program.ts";

const TIMEOUT_MS = 3000;
const NAME = /^[a-z][\w.+-]{0,63}$/i;
const known = new Map<string, Promise<string | undefined>>();

/**
 * The version that a program of the system tells, such as "3.12.1"; undefined when there is none.
 * Asked once: for `metadata.requires` of skills.
 */
export function programVersion(program: string): Promise<string | undefined> {
  const asked = known.get(program);
  if (asked !== undefined) return asked;
  const version = askVersion(program);
  known.set(program, version);
  return version;
}

async function askVersion(program: string): Promise<string | undefined> {
  if (program === "node") return process.versions.node;
  const path = NAME.test(program) ? trustedProgram(program) : undefined;
  if (path === undefined) return undefined;
  const { execFile } = process.getBuiltinModule("node:child_process");
  const output = await new Promise<string>((resolve) => {
    const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
    const options = { env, cwd: "/", timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 };
    execFile(path, ["--version"], options, (_error, stdout, stderr) => resolve(stdout || stderr));
  });
  return /\d+(?:\.\d+)+/.exec(output)?.[0];
}
