import { runCli } from "./run-cli.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

/** A project and a home of their own, and ways to call the command line in them. */
export function workplace(files: Files, homeFiles: Files = {}, env: Files = {}) {
  const cwd = temporaryFolder({ ".git/HEAD": "", ...files });
  const home = temporaryFolder(homeFiles);
  const run = (...args: string[]) =>
    runCli(args, { cwd, env: { HOME: home, PATH: "/usr/bin:/bin", ...env } });
  const json = async (...args: string[]) => {
    const { stdout } = await run(...args, "--json");
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return { cwd, home, run, json };
}
