import { installSkills } from "../../packages/packs/src/install/install-skills.ts";
import { resolveScope } from "../../packages/packs/src/scopes/resolve-scope.ts";

/** Installs a pack in a process of its own, and says how long the call took. */
const [pack = "", project = "", home = ""] = process.argv.slice(2);
const scope = resolveScope({ cwd: project, home, source: "project" });
if (!scope.ok) throw new Error(scope.message);
const started = performance.now();
const report = await installSkills(pack, {
  scope,
  cwd: project,
  all: true,
  env: { HOME: home },
  stateDirectory: `${home}/state`,
});
const milliseconds = performance.now() - started;
if (!report.ok) throw new Error(report.message);
console.log(JSON.stringify({ milliseconds, skills: report.skills.length }));
