import { ensureBundled } from "./ensure-bundled.mjs";
import { ensureInstalled } from "./setup.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";
import { skillwright, takeTour } from "./tour.mjs";

// `npm start` shows what there is; `npm start -- "<request>"` answers a request of the person's own.
const args = process.argv.slice(2);

ensureInstalled("run");
// Scripts run in its sandbox; without it the tour goes on with what needs no script.
ensureSystemPackages(["bubblewrap"]);
await ensureBundled();

if (args.length === 0) await takeTour();
else {
  // Where the person is, with their settings, and approvals asked for as usual.
  const cwd = process.env["INIT_CWD"] ?? process.cwd();
  const { status } = skillwright(["run", ...args], { cwd, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
