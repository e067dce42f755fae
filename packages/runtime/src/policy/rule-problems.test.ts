import { expect, it } from "vitest";
import { ruleProblems } from "../internal/index.ts";

it("P-01 names rules that cannot be read", () => {
  expect(
    ruleProblems({
      allow: ["Read", "*", "Bash (git:*)", "WebFetch(example.com)"],
      ask: ["mcp__*", "Read(!a)"],
      deny: ["Write(src/**)", "Bash(rm"],
      only: ["WebFetch(domain:a b)"],
    }),
  ).toEqual([
    'allow: "*" cannot be read',
    'allow: "Bash (git:*)" cannot be read',
    'allow: "WebFetch(example.com)" cannot be read',
    'only: "WebFetch(domain:a b)" cannot be read',
    'ask: "Read(!a)" cannot be read',
    'deny: "Bash(rm" cannot be read',
  ]);
});

it("P-01 has nothing to say of rules that can be read", () => {
  expect(ruleProblems({ allow: ["Bash(git:*)", "WebFetch(domain:*.a.com)"], deny: ["*"] })).toEqual(
    [],
  );
});
