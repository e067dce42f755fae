import { parseToolRules } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits } from "../../../../test/arbitraries/hostile-text.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { DEFAULT_POLICY, type PolicySettings } from "../index.ts";
import { decide, type Decision, type PolicyRequest, type PolicySkill } from "../internal/index.ts";
import { lineCommand } from "./index.ts";
import { wordList } from "./index.ts";

const RUNS = { numRuns: numRuns(1500) };
const STRICTNESS: readonly Decision[] = ["allow", "ask", "deny"];
const strictness = (decision: Decision) => STRICTNESS.indexOf(decision);

const RULES = wordList(`
  Read Read(src/**) Read(.env) Write Edit(src/**) Grep Glob Bash Bash(git:*) Bash(*) Bash(python3:*)
  WebFetch WebFetch(domain:a.com) WebFetch(domain:*.a.com) run_script(scripts/a.py) mcp__db
  toString __proto__ * mcp__* launch
`);
const ruleText = fc.constantFrom(...RULES, "Bash(rm *)", "Bash(echo hello)", "Bash (x");
const rules = fc.array(ruleText, { maxLength: 4 });
const commandText = fc.oneof(
  fc.constantFrom("git status", "rm -rf /", "git log; rm x", "echo hello > src/a", "$X", "sudo ls"),
  fc.string({ unit: fc.constantFrom(..."ab rm$(){}`'\"\\;&|<>\n\t#=*-/"), maxLength: 30 }),
  anyUnits,
);
const call = fc.oneof(
  fc.record({ tool: fc.constant("run_command"), input: fc.record({ command: commandText }) }),
  fc.record({
    tool: fc.constantFrom("read_file", "Write", "delete_file", "search_files", "list_dir"),
    input: fc.record({
      path: fc.oneof(fc.constantFrom("src/a", ".env", "../x", "/etc/x"), anyUnits),
    }),
  }),
  fc.record({
    tool: fc.constant("run_script"),
    input: fc.record({
      script: fc.constantFrom("a.py", "scripts/b.sh", "../x"),
      args: fc.array(anyUnits),
    }),
  }),
  fc.record({
    tool: fc.constant("network_request"),
    input: fc.record({
      url: fc.oneof(fc.constantFrom("https://a.com", "https://b.a.com"), anyUnits),
    }),
  }),
  fc.record({
    tool: fc.oneof(fc.constantFrom("toString", "mcp__db__x", "launch"), anyUnits),
    input: fc.anything(),
  }),
);
const settings: fc.Arbitrary<PolicySettings> = fc.record({
  allow: rules,
  ask: rules,
  deny: rules,
  allowedTools: fc.constantFrom("ask", "restrict", "grant", "ignore"),
  switches: fc.dictionary(
    fc.constantFrom("Bash", "delete_file", "network", "launch"),
    fc.boolean(),
  ),
  risks: fc.dictionary(fc.constantFrom("read_file", "Bash"), fc.constantFrom("low", "high")),
  secretReads: fc.constantFrom("ask", "deny"),
  decisions: fc.constant(DEFAULT_POLICY.decisions),
});
const skill: fc.Arbitrary<PolicySkill> = fc
  .record({ trusted: fc.boolean(), text: fc.option(rules, { nil: undefined }) })
  .map(({ trusted, text }) => ({
    name: "a",
    trusted,
    ...(text === undefined ? {} : { allowedTools: parseToolRules(text.join(" ")).rules }),
  }));
const request: fc.Arbitrary<PolicyRequest> = fc
  .record({
    call,
    settings,
    activeSkills: fc.array(skill, { maxLength: 3 }),
    skill: fc.option(skill),
  })
  .map(({ call, settings, activeSkills, skill }) => ({
    ...call,
    settings,
    activeSkills,
    ...(skill === null ? {} : { skill }),
    places: { workingDirectory: "/work", home: "/home/user" },
  }));

describe("any call", () => {
  it("P-01 gets a decision with a reason, the same each time", () => {
    fc.assert(
      fc.property(request, (request) => {
        const decision = decide(request);
        expect(STRICTNESS).toContain(decision.decision);
        expect(decision.reason).not.toBe("");
        expect(decide(request)).toEqual(decision);
      }),
      RUNS,
    );
  });

  it("P-01 `restrict` is never more permitted with one more skill", () => {
    fc.assert(
      fc.property(request, skill, (given, skill) => {
        const request = {
          ...given,
          settings: { ...given.settings, allowedTools: "restrict" as const },
        };
        const more = { ...request, activeSkills: [...request.activeSkills, skill] };
        const { decision } = decide(more);
        expect(strictness(decision)).toBeGreaterThanOrEqual(strictness(decide(request).decision));
      }),
      RUNS,
    );
  });

  it("P-01 active skills make an allowed call that names no skill ask, and never deny it", () => {
    fc.assert(
      fc.property(request, (given) => {
        const settings = { ...given.settings, allowedTools: "ask" as const };
        const { skill: _skill, ...request } = { ...given, settings };
        const bare = decide({ ...request, activeSkills: [] }).decision;
        const { decision } = decide(request);
        expect(decision).toBe(bare === "allow" && decision === "ask" ? "ask" : bare);
      }),
      RUNS,
    );
  });

  it("P-01 is never more permitted for a skill than without any, unless skills grant", () => {
    fc.assert(
      fc.property(request, skill, (request, skill) => {
        fc.pre(request.settings.allowedTools !== "grant");
        const bare = { ...request, activeSkills: [] };
        delete bare.skill;
        const { decision } = decide({ ...bare, skill });
        expect(strictness(decision)).toBeGreaterThanOrEqual(strictness(decide(bare).decision));
      }),
      RUNS,
    );
  });

  it("P-01 is never more permitted with one more rule that denies or asks, or with a run's policy", () => {
    fc.assert(
      fc.property(request, ruleText, rules, (request, rule, only) => {
        const { settings } = request;
        const before = strictness(decide(request).decision);
        for (const narrower of [
          { ...request, settings: { ...settings, deny: [...settings.deny, rule] } },
          { ...request, settings: { ...settings, ask: [...settings.ask, rule] } },
          { ...request, runPolicy: { deny: [rule] } },
          { ...request, runPolicy: { ask: [rule] } },
          { ...request, runPolicy: { only } },
        ]) {
          expect(strictness(decide(narrower).decision)).toBeGreaterThanOrEqual(before);
        }
      }),
      RUNS,
    );
  });

  it("P-01 is denied when its tool is, whatever else is said", () => {
    fc.assert(
      fc.property(request, fc.constantFrom("*", "deny-tool"), (request, kind) => {
        const rule = kind === "*" ? "*" : request.tool;
        fc.pre(rule === "*" || /^[A-Za-z_][\w.-]*$/.test(rule));
        const settings = { ...request.settings, deny: [rule] };
        expect(decide({ ...request, settings }).decision).toBe("deny");
      }),
      RUNS,
    );
  });
});

const PLACES: readonly ((command: string) => string)[] = [
  (command) => `ls; ${command}`,
  (command) => `ls && ${command} && ls`,
  (command) => `ls || ${command}`,
  (command) => `ls | ${command}`,
  (command) => `ls & ${command} &`,
  (command) => `ls\n${command}\nls`,
  (command) => `(${command})`,
  (command) => `{ ${command}; }`,
  (command) => `echo $(${command})`,
  (command) => `echo "a $(${command}) b"`,
  (command) => `echo \`${command.replace(/[\\`]/g, String.raw`\$&`)}\``,
  (command) => `cat <(${command})`,
  (command) => `if ${command}; then ls; fi`,
  (command) => `for f in a; do ${command}; done`,
  (command) => `A=b ${command}`,
  (command) => `sudo ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `env -i A=b ${command}`,
  (command) => `xargs ${command}`,
  (command) => `sh -c '${command.replaceAll("'", String.raw`'\''`)}'`,
  (command) => `eval '${command.replaceAll("'", String.raw`'\''`)}'`,
  (command) => `bash <<EOF\n${command}\nEOF`,
  (command) => `f() { ${command}; }; f`,
  (command) => `! ${command} > out`,
];

describe("any command line", () => {
  const settings = { ...DEFAULT_POLICY, switches: { run_command: true }, allow: ["Bash"], ask: [] };
  const decided = (command: string, deny: readonly string[]) =>
    decide({
      tool: "Bash",
      input: { command },
      activeSkills: [],
      settings: { ...settings, deny },
      places: { workingDirectory: "/work" },
    }).decision;

  it("P-01 is read without throwing, and what is not understood is never allowed", () => {
    fc.assert(
      fc.property(commandText, (command) => {
        const { words } = lineCommand(command);
        const isAllowed = decided(command, []) === "allow";
        expect(isAllowed && words === undefined).toBe(false);
      }),
      { numRuns: numRuns(5000) },
    );
  });

  it("P-01 with a denied command in it is never allowed, and is denied wherever the place is plain", () => {
    const command = fc.constantFrom("rm -rf /", "/bin/rm x", 'r"m" x', "rm");
    fc.assert(
      fc.property(
        command,
        fc.array(fc.nat(PLACES.length - 1), { maxLength: 3 }),
        (command, places) => {
          const whole = places.reduce<string>(
            (inner, place) => PLACES[place]?.(inner) ?? inner,
            command,
          );
          const decision = decided(whole, ["Bash(rm:*)"]);
          expect(places.length <= 1 ? ["deny"] : ["deny", "ask"]).toContain(decision);
        },
      ),
      RUNS,
    );
  });

  it.each([
    "$(",
    "`",
    "(",
    "'",
    '"',
    "${",
    "<<A ",
    "a;",
    "sudo ",
    "$((",
    "\\",
    "<(",
    "bash -c '",
    "*",
  ])("P-01 of 64 KiB of %j is decided, and not allowed by a rule for another command", (unit) => {
    const command = unit.repeat(65_536 / unit.length);
    expect(decided(command, ["Bash(rm:*)", "Bash(*x*y*)", "Read(**/a/**/b)"])).not.toBe("");
    expect(decided(`rm x; ${command}`, ["Bash(rm:*)"])).toBe("deny");
  });
});
