import { defineRule, valueSpan } from "../draft-rule.ts";

const SHELLS: ReadonlySet<string> = new Set(["bash", "shell", "run_command", "run_shell_command"]);

export const toolsUnrestricted = defineRule({
  code: "tools-unrestricted",
  severity: "info",
  summary: "The skill asks for a shell without limits.",
  explanation:
    "`Bash` or `Bash(*)` in `allowed-tools` asks for every command there is. More than half of the public skills that declare tools do; policy decides what they get. Name the commands that are needed.",
  example: {
    bad: "allowed-tools: Bash",
    good: "allowed-tools: Bash(git:*) Read",
  },
  lint({ allowedTools = [] }, draft, report) {
    const open = allowedTools.find(
      ({ tool, specifier }) =>
        SHELLS.has(tool.toLowerCase()) && (specifier ?? "*").replace(/[\s:]/g, "") === "*",
    );
    if (open === undefined) return;
    report(draft.spanOf(valueSpan(draft, "allowed-tools")), {
      message: `\`${open.tool}\` asks for every command`,
      hint: "name the commands the skill runs, for example `Bash(git:*)`",
    });
  },
});
