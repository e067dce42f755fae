import { parseToolRules } from "@skillwright/core/internal";
import { DEFAULT_POLICY } from "@skillwright/runtime";
import { decide } from "@skillwright/runtime/internal";
import { expect, it } from "vitest";
import { policyTable } from "../../scripts/policy-table.mjs";

it("P-01 X-10 the table of the documentation holds", () => {
  const rows = policyTable({ decide, DEFAULT_POLICY, parseToolRules });
  expect(rows.map(({ situation, decision }) => `${decision}: ${situation}`)).toEqual([
    "allow: Nothing configured: reading a file",
    "allow: Nothing configured: listing a folder",
    "allow: Nothing configured: searching in files",
    "allow: Nothing configured: `list_dir`, another name",
    "allow: Nothing configured: `grep`, another name",
    "ask: Nothing configured: writing a file",
    "ask: Nothing configured: running a script of a skill",
    "deny: Nothing configured: running a command",
    "deny: Nothing configured: `run_shell_command`, another name",
    "deny: Nothing configured: deleting a file",
    "deny: Nothing configured: asking a web server",
    "deny: Nothing configured: `network`, another name",
    "deny: Nothing configured: an unknown tool",
    "ask: Nothing configured: reading `.env`",
    "deny: `policy.denySecretReads`: reading `.env`",
    "deny: Reading a file outside the working directory",
    "ask: Commands switched on, no rule",
    "ask: Deleting switched on, no rule",
    "ask: Web requests switched on, no rule",
    "deny: Reading switched off, and allowed by a rule",
    "allow: Allowed: `Bash(git:*)`; called: `git status`",
    "ask: Allowed: `Bash(git:*)`; called: `git status; rm -rf /`",
    "deny: Allowed: `Bash`, denied: `Bash(rm:*)`; called: `sudo /bin/rm -rf /`",
    "ask: Allowed: `Bash`, denied: `Bash(rm:*)`; called: `mytool --clean`, which is not known",
    "ask: Allowed: `Bash(make test:*)`; called: `make test SHELL=./x`",
    "ask: Allowed: `Bash`; called: a command with a quote that is not closed",
    "allow: Allowed: `Write(src/**)`, nothing always asks; writing `src/a.ts`",
    "deny: Denied: `Read(.env)`; reading `config/.env`",
    "allow: Allowed: `WebFetch(domain:example.com)`; asking `example.com`",
    "deny: A skill declares `Read`; writing on its behalf",
    "ask: A skill declares `Bash(python3:*)`; running its `report.py`",
    "deny: A skill that is not trusted; running its script",
    "ask: One active skill declares `Read`, another `Write`; writing for neither",
    "ask: The only active skill declares `Bash(node:*)`; reading a file",
    "deny: `restrict`: the only active skill declares `Bash(node:*)`; reading a file",
    "allow: `grant`, nothing always asks: a trusted skill declares `Write`; writing for it",
    "ask: `grant`: `write_file` always asks; a trusted skill declares `Write`",
  ]);
});
