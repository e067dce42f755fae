import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleCli } from "./bundle.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

const CLI = join(ROOT, "packages/cli/bin/skillwright.cjs");

ensureInstalled("run");
// Scripts run in its sandbox; without it the agent says what to install.
const canSandbox = ensureSystemPackages(["bubblewrap"]);
await bundleCli();

const [request] = process.argv.slice(2);
if (request === undefined) tour();
else {
  // Where the person is, with approvals asked for as usual.
  process.exitCode = skillwright(process.env["INIT_CWD"] ?? process.cwd(), [
    "run",
    ...process.argv.slice(2),
  ]);
}

/** What Skillwright does, on real files, in a folder that is gone afterwards. */
function tour() {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-start-"));
  const project = join(folder, "project");
  const env = {
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
  };
  const show = (title, ...commands) => {
    console.log(`\n── ${title}\n`);
    for (const command of commands) {
      console.log(`$ skillwright ${command.map(quoted).join(" ")}`);
      // Without a terminal nobody is asked, so that it goes through by itself.
      const status = skillwright(project, command, env, "ignore");
      console.log("");
      // An approval that is missing is what the tour wants to show.
      if (status !== 0 && status !== 3 && canSandbox) process.exitCode = status;
    }
  };
  try {
    cpSync(join(ROOT, "examples/first-run"), project, { recursive: true });
    show("The skills that come with it:", ["list"]);
    show(
      "A request: the agent finds the skill, loads it, runs its script in a sandbox, and answers.",
      ["run", "profile sales.csv", "--yes=run_script"],
    );
    const convert = ["run", "Convert 26.2 miles to kilometres", "--yes=run_script"];
    show("Another one, with another skill:", convert);
    show("A script runs only when somebody approves it:", ["run", "Convert 5 kg to pounds"]);
    show("A request that no skill fits is answered so:", ["run", "Write a poem about rain"]);
    show("Every run left a record:", ["runs", "list"]);
    console.log('── Your own: npm start -- "<request>", or npx skillwright run "<request>"\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function skillwright(cwd, args, env = {}, stdin = "inherit") {
  const { status } = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    stdio: [stdin, "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

function quoted(word) {
  return /^[\w./=-]+$/.test(word) ? word : JSON.stringify(word);
}
