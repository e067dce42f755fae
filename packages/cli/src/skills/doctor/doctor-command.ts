import { type Check, doctorChecks } from "@skillwright/app/internal";
import { visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";

/** Looks at everything a skill may need on this machine. */
export async function doctorCommand(options: GlobalOptions, console: Console): Promise<ExitCode> {
  const checks = await doctorChecks(options, console);
  if (console.json) console.printJson({ checks });
  else printChecks(checks, console);
  return checks.some(({ status }) => status === "error") ? EXIT.no : EXIT.done;
}

function printChecks(checks: readonly Check[], console: Console): void {
  const { green, yellow, red, dim } = console.colors;
  for (const { name, status, message, hint } of checks) {
    const mark =
      status === "ok" ? green("ok  ") : status === "warning" ? yellow("warn") : red("FAIL");
    console.printText(`${mark} ${name.padEnd(14)}  ${visibleLine(message)}`);
    if (hint !== undefined) console.printText(dim(`${" ".repeat(21)}${visibleLine(hint)}`));
  }
}
