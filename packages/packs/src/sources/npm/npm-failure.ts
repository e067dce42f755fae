import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import type { ProgramResult } from "../program/run-program.ts";
import { canceled, sourceFailure } from "../source-failure.ts";

/** What a person can do about a call of npm that did not work. */
export function npmFailure(spec: string, { ended, stdout, stderr }: ProgramResult): PackFailure {
  const shown = foreignText(spec);
  if (ended === "canceled") return canceled();
  if (ended === "timeout") {
    return sourceFailure("source-unreachable", `npm took too long for ${shown}`);
  }
  if (ended === "too-much") {
    return sourceFailure("limit-exceeded", `${shown} is larger than what is allowed`);
  }
  if (ended === "not-started") return sourceFailure("program-missing", "npm could not be started");
  const said = `${stdout.toString("utf8")}\n${stderr}`;
  const code =
    /\b(?:E(?:404|401|403|TARGET|NEEDAUTH|NOTFOUND|AI_AGAIN|CONNREFUSED|OTP|NOVERSIONS|INTEGRITY))\b/.exec(
      said,
    )?.[0];
  switch (code) {
    case "E404":
      return sourceFailure("source-missing", `there is no package ${shown}`, {
        hint: "Check the spelling; a private package needs npm login, or a registry for its scope.",
      });
    case "ETARGET":
    case "ENOVERSIONS":
      return sourceFailure("source-missing", `no version of the package is ${shown}`);
    case "E401":
    case "E403":
    case "ENEEDAUTH":
    case "EOTP":
      return sourceFailure("source-unreachable", `the registry does not give ${shown} to you`, {
        hint: "Run npm login, or put a token for the registry into your .npmrc.",
      });
    case "EINTEGRITY":
      return sourceFailure("digest-mismatch", `${shown} is not what its registry says`);
    default: {
      const reason = foreignText(
        /^npm (?:error|ERR!) (?!code)(.*)$/m.exec(said)?.[1] ?? code ?? said,
      );
      return sourceFailure("source-unreachable", `npm could not fetch ${shown}: ${reason}`, {
        hint: "Check the connection and npm's settings (npm config list).",
      });
    }
  }
}
