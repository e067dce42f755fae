import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, openSessionRegistry, type Session } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";
import type { Check } from "./check.ts";
import { executionChecks } from "./execution-checks.ts";
import { policyCheck } from "./policy-check.ts";

/** Looks at everything a skill may need on this machine. */
export async function doctorCommand(options: GlobalOptions, console: Console): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openSessionRegistry(session, options, console);
  const errors = skills.diagnostics().filter(({ severity }) => severity === "error").length;
  const checks: Check[] = [
    ...(await executionChecks(session)),
    configurationCheck(session),
    await policyCheck(session.configuration.values),
    {
      name: "trust",
      status: session.projectTrusted ? "ok" : "warning",
      message: `${session.project} is ${session.projectTrusted ? "trusted" : "not trusted"}`,
      ...(session.projectTrusted ? undefined : { hint: "skillwright trust" }),
    },
    await folder("cache", session.cacheDirectory),
    await folder("state", session.stateDirectory),
    ...(await Promise.all(skills.roots.map((root) => rootCheck(root, skills.all)))),
    {
      name: "skills",
      status: errors === 0 ? "ok" : "warning",
      message: `${skills.all.length} skills, ${skills.shadowed.length} shadowed, ${errors} errors`,
      ...(errors === 0 ? undefined : { hint: "skillwright lint" }),
    },
  ];
  if (console.json) console.printJson({ checks });
  else printChecks(checks, console);
  return checks.some(({ status }) => status === "error") ? EXIT.no : EXIT.done;
}

function configurationCheck({ configuration: { files, problems } }: Session): Check {
  const name = "configuration";
  if (problems.length > 0) {
    return {
      name,
      status: "error",
      message: `${problems.length} problems: ${problems.map(({ path }) => path).join(", ")}`,
      hint: "skillwright config",
    };
  }
  const read = files.map(({ file }) => file).join(", ");
  return { name, status: "ok", message: read === "" ? "defaults" : read };
}

/** A folder that is there must be writable; one that is not must be possible to make. */
async function folder(name: string, path: string): Promise<Check> {
  for (let existing = path; ; existing = dirname(existing)) {
    const stats = await stat(existing).catch(() => undefined);
    if (stats === undefined && existing !== dirname(existing)) continue;
    const writable = await access(existing, constants.W_OK).then(
      () => true,
      () => false,
    );
    return writable
      ? { name, status: "ok", message: path }
      : {
          name,
          status: "warning",
          message: `${path} cannot be written`,
          hint: `chown or chmod ${existing}`,
        };
  }
}

async function rootCheck(root: string, all: readonly { readonly root: string }[]): Promise<Check> {
  const stats = await stat(root).catch(() => undefined);
  if (stats === undefined) return { name: "root", status: "ok", message: `${root} (not there)` };
  const readable = await access(root, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!readable) {
    return {
      name: "root",
      status: "error",
      message: `${root} cannot be read`,
      hint: `chmod +rx ${root}`,
    };
  }
  const count = all.filter((skill) => skill.root === root).length;
  return { name: "root", status: "ok", message: `${root} (${count} skills)` };
}

function printChecks(checks: readonly Check[], console: Console): void {
  const { green, yellow, red, dim } = console.colors;
  for (const { name, status, message, hint } of checks) {
    const mark =
      status === "ok" ? green("ok  ") : status === "warning" ? yellow("warn") : red("FAIL");
    console.print(`${mark} ${name.padEnd(14)}${visibleText(message)}`);
    if (hint !== undefined) console.print(dim(`     ${" ".repeat(14)}${visibleText(hint)}`));
  }
}
