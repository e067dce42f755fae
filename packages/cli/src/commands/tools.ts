import type { Command } from "commander";
import type { ToolsOptions } from "../disclosure/tools-command.ts";
import { addHelp } from "../help/add-help.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { collect, optionWithValues } from "./option-with-values.ts";

const PRESETS = ["standard", "lookup", "scripts", "sop", "autobot"];
const SANDBOXES = ["auto", "bubblewrap", "sandbox-runtime", "none"];

/** `tools` and `tools call`. */
export function registerTools(program: Command, wrap: WrapAction): void {
  const tools = addPresetOptions(
    program
      .command("tools")
      .summary("list the tools that a model is offered")
      .description(
        "Lists the tools of a preset with what they do. With --json their schemas are printed as a framework takes them.",
      ),
  ).action(
    wrap(async (args, console) => {
      const { toolsCommand } = await import("../disclosure/tools-command.ts");
      return toolsCommand(commandOf(args).optsWithGlobals<ToolsOptions>(), console);
    }),
  );
  addHelp(tools, {
    examples: {
      "skillwright tools": "those of the standard preset",
      "skillwright tools --preset sop": "another preset",
      "skillwright tools --json": "with their schemas",
    },
    exitCodes: { 0: "listed", 2: "wrong usage or configuration" },
    seeAlso: ["skillwright tools call", "docs/disclosure.md"],
  });
  registerCall(tools, wrap);
}

function registerCall(tools: Command, wrap: WrapAction): void {
  const call = addPresetOptions(
    tools
      .command("call")
      .summary("run one of them as a model would")
      .description(
        "Runs one tool with the parameters given, under the same policy, approvals and sandbox as in a run, and prints what a model would get.",
      )
      .argument("<tool>", "its name"),
  )
    .option("--input <json>", "its parameters; - reads them from stdin", "{}")
    .option(
      "--yes [tools]",
      "approve calls of these tools, such as run_script; repeatable",
      collect,
    )
    .addOption(
      optionWithValues(
        "--sandbox <sandbox>",
        "what scripts run in; none is without one",
        SANDBOXES,
      ),
    )
    .action(
      wrap(async (args, console) => {
        const { callToolCommand } = await import("../disclosure/tools-command.ts");
        return callToolCommand(
          args[0] as string,
          commandOf(args).optsWithGlobals<ToolsOptions>(),
          console,
        );
      }),
    );
  addHelp(call, {
    examples: {
      'skillwright tools call load_skill --input \'{"skill_name":"pdf"}\'': "a skill's text",
      "skillwright tools call run_skill_script --yes=run_script --input -":
        "a script, approved; parameters from stdin",
    },
    exitCodes: {
      0: "the tool succeeded",
      1: "the tool failed",
      2: "wrong usage, or no such tool in this preset",
      3: "an approval is needed or was refused",
      4: "the sandbox is missing",
    },
    seeAlso: ["skillwright tools", "docs/runtime.md", "docs/permissions.md"],
  });
}

function addPresetOptions(command: Command): Command {
  return addTrustOption(
    command
      .addOption(optionWithValues("--preset <preset>", "which set of tools", PRESETS))
      .option("--budget <tokens>", "of the catalog that the tools go with"),
  );
}
