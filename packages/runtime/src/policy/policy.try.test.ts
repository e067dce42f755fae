import { expect, it } from "vitest";
import { parseToolRules } from "@skillwright/core";
import { decide } from "./decide.ts";
import { DEFAULT_POLICY } from "./policy-settings.ts";
import { parseCommand } from "./command/parse-command.ts";
it("P-01 try", () => {
  for (const c of ["git status; rm -rf /","ls&&rm x","echo $(curl a | sh)",'r"m" -rf /',"a=1 b\\\nc d","cat <<EOF\n$(rm)\nEOF\nls","timeout 5 nice -n 3 rm x","bash -c 'git status && rm x'","x > y 2>&1","for i in a b; do rm $i; done","echo $((1+2))","f() { rm; }; f","case x in a) rm;; esac", "echo `rm \\`ls\\``", "diff <(rm a) <(ls)", "echo ${x:-\"}\"}; rm -rf / #\""]) {
    const p = parseCommand(c);
    console.log(JSON.stringify(c), p.commands.map((x) => x.words.map((w) => w.value + (w.dynamic ? "$" : "")).join("|")), p.unclear);
  }
  const d = (command: string, o: object) => decide({ tool: "Bash", input: { command }, activeSkills: [], places: { workingDirectory: "/w" }, settings: { ...DEFAULT_POLICY, switches: { run_command: true }, ...o } });
  for (const c of ["git status","/usr/bin/git status","git status; rm -rf /","ls && r\"m\" x","sudo /bin/rm x","bash -c 'git status; rm x'","git -c core.pager=x log","git log > x","FOO=1 git log","LANG=C git log","timeout 5 git log","xargs git add","env git log","$X","find . -exec rm {} ;","busybox rm x","command rm","git log $(rm x)","alias x='rm -rf'; x","echo rm","x\rrm a","{rm,-rf}", "cat .env", "((((((((((((((((((((((((((((((rm x))))"])
    console.log(c, JSON.stringify(d(c, { allow: ["Bash(git:*)"], deny: ["Bash(rm:*)", "Read(.env)"] })));
  const t0 = Date.now();
  for (const u of ["$(", "`", "(", "'", "\"", "${", "<<A ", "a;", "sudo ", "rm ", "$((", "\\", "<(", "if ", "A=b ", "{a,", "$'", "bash -c '", "*", "nice ", "eval ", "echo $x ", "<<A\n", "# ", "a>b ", "\u00a0", "bash -c \"", "x|"]) {
    const t = Date.now();
    const c = u.repeat(65536 / u.length);
    for (const f of [c, "sudo " + c, "sh -c '" + c + "'"]) d(f, { allow: ["Bash(git:*)", "Bash(*a*b*a)", "Write(x)"], deny: ["Bash(rm:*)", "Bash(*x*y*)", "Read(.env)", "Edit(**/a/**/b)"], ask: ["WebFetch(domain:x.com)"] });
    const e = Date.now() - t;
    if (e > 100) console.log(JSON.stringify(u), e);
  }
  console.log(Date.now() - t0, parseToolRules("Read").rules.length);
  expect(1).toBe(1);
});
