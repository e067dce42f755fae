import { readFileSync, readdirSync } from "node:fs";
import { it } from "vitest";
import { decide } from "./decide.ts";
const ROOT = new URL("../../../../../skills/", import.meta.url).pathname;
const names = readdirSync(ROOT);
const text = (n: string) => readFileSync(`${ROOT}${n}/SKILL.md`, "utf8");
const skills = names.map((name) => ({
  name,
  source: "s",
  description: /^description: (.*)$/m.exec(text(name))?.[1] ?? "",
}));
const scripts = (n: string) =>
  readdirSync(`${ROOT}${n}/scripts`)
    .filter((f) => f.endsWith(".mjs"))
    .map((f) => `scripts/${f}`);
function run(request: string) {
  const base = {
    request,
    skills,
    omittedSkills: 0,
    tools: ["read_file", "list_directory"],
    mustAnswer: false,
  } as never as Parameters<typeof decide>[0];
  const first = decide({ ...base, active: [], steps: [] });
  if (first.action !== "select_skills")
    return `-- ${first.action} ${JSON.stringify(first).slice(0, 400)}`;
  const name = first.skills[0]!.name;
  const second = decide({
    ...base,
    active: [{ name, source: "s", text: text(name), scripts: scripts(name), files: [] }],
    steps: [{ action: first, ok: true, observation: "" } as never],
  });
  return second.action === "run_script"
    ? `${name}: ${second.relative_path} ${second.args.join(" ")}`
    : `${name}: DECLINED ${JSON.stringify(second).slice(0, 500)}`;
}
it("x", () => {
  const out: string[] = [];
  for (const n of names) {
    out.push(`## ${n}`);
    const e = JSON.parse(readFileSync(`${ROOT}${n}/evals/evals.json`, "utf8")) as {
      evals: { prompt: string; should_trigger: boolean }[];
    };
    const t = JSON.parse(readFileSync(`${ROOT}${n}/evals/trigger-evals.json`, "utf8")) as {
      query: string;
      should_trigger: boolean;
    }[];
    for (const [q, s] of [
      ...e.evals.map((c) => [c.prompt, c.should_trigger] as const),
      ...t.map((c) => [c.query, c.should_trigger] as const),
    ]) {
      const r = run(q);
      const ok = r.startsWith(`${n}:`) === s;
      if (process.env["ONLY"] !== undefined ? !ok || (s && r.includes("DECL")) : true)
        out.push(`${ok ? "  " : "XX"} ${s ? "+" : "-"} ${q}\n        ${r}`);
    }
  }
  for (const q of (process.env["Q"] ?? "").split("|").filter(Boolean))
    out.push(`Q ${q}\n        ${run(q)}`);
  console.log(out.join("\n"));
});
