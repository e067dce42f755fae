import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { visibleLine } from "@skillwright/core/internal";
import { verifyAudit } from "@skillwright/runtime";
import { acceptAudits, listAudits } from "@skillwright/runtime/internal";
import { missingProblem, printRegister } from "../agent/runs/verify-runs-command.ts";
import type { Console, GlobalOptions } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { asAppFailure, CALL_RECORD, callsDirectory, openPlace } from "@skillwright/app/internal";

export interface VerifyCallsOptions extends GlobalOptions {
  /** Does not report again what is missing now. */
  readonly accept?: boolean;
}

interface VerifiedCall {
  readonly call: string;
  readonly ok: boolean;
  readonly records: number;
  readonly problems: readonly string[];
}

/** Checks the records of calls outside of runs: by `tools call`, and by MCP clients. */
export async function verifyCallsCommand(
  { accept = false }: VerifyCallsOptions,
  console: Console,
): Promise<ExitCode> {
  const { stateDirectory } = await openPlace(console);
  const directory = callsDirectory(stateDirectory);
  try {
    const calls: VerifiedCall[] = [];
    for (const call of namesIn(directory)) {
      calls.push(await verifyCall(call, join(directory, call, CALL_RECORD), stateDirectory));
    }
    const compare = accept ? acceptAudits : listAudits;
    const { missing, pruned, problems } = await compare(directory, { stateDirectory });
    const gone = missing.map(({ file, records }) => {
      const call = basename(dirname(file));
      return { call, ok: false, records: 0, problems: [missingProblem(records)] };
    });
    // One without a record file is both there and missing.
    const all = [...calls.filter(({ call }) => gone.every((one) => one.call !== call)), ...gone];
    const damaged = all.filter(({ ok }) => !ok);
    if (console.json) console.printJson({ calls: all, pruned, problems });
    else {
      console.print(`${all.length - damaged.length} of ${all.length} as written`);
      for (const { call, problems } of damaged) {
        console.print(visibleLine(`${call}  not as written`));
        for (const problem of problems) console.print(`  ${visibleLine(problem)}`);
      }
      printRegister({ pruned, problems, missing: missing.length, accept }, console);
    }
    return damaged.length + problems.length === 0 ? EXIT.done : EXIT.no;
  } catch (error) {
    throw asAppFailure(error);
  }
}

async function verifyCall(
  call: string,
  file: string,
  stateDirectory: string,
): Promise<VerifiedCall> {
  try {
    const verification = await verifyAudit(file, { stateDirectory });
    if (verification.ok) return { call, ok: true, records: verification.records, problems: [] };
    // One that is being written may end in half a line.
    const found = verification.problems.filter(({ kind }) => kind !== "torn");
    const problems = found.map(({ line, message }) => `line ${line}: ${message}`);
    return { call, ok: found.length === 0, records: 0, problems };
  } catch (error) {
    return { call, ok: false, records: 0, problems: [asAppFailure(error).message] };
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith("."))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}
