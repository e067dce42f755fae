import { expect, it } from "vitest";
import { decide } from "./decide.ts";
import { DEFAULT_POLICY } from "./policy-settings.ts";
it("P-01 try", () => {
  const d = (command: string, o: object) => decide({ tool: "Bash", input: { command }, activeSkills: [], places: { workingDirectory: "/w" }, settings: { ...DEFAULT_POLICY, switches: { run_command: true }, ...o } });
  for (const u of ["$(", "`", "${", "a;", "sudo ", "bash -c '", "x|", "<<A\n", "a>b ", "<<A "]) {
    for (const pre of ["", "sudo ", "sh -c '"]) {
    const r = [16, 32, 64, 128].map((k) => {
    const c = pre + u.repeat((k * 1024) / u.length) + (pre.endsWith("'") ? "'" : "");
    const t = performance.now();
    d(c, { allow: ["Bash(git:*)", "Bash(*a*b*a)", "Write(x)"], deny: ["Bash(rm:*)", "Bash(*x*y*)", "Read(.env)", "Edit(**/a/**/b)"], ask: ["WebFetch(domain:x.com)"] });
    return Math.round(performance.now() - t); });
    console.log(JSON.stringify(pre + u), r.join(" "));
    }
  }
  expect(1).toBe(1);
});
