import { walkDirectory } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import type { OutputCheck, OutputCheckKind } from "../cases/eval-case.ts";
import { checkJsonPath, checkJsonSchema } from "./check-json.ts";
import { checkScript } from "./check-script.ts";
import { checkContains, checkEquals, checkNumber, checkRegex } from "./check-text.ts";
import {
  type CheckSubject,
  type CheckVerdict,
  decided,
  nothingThere,
  undecided,
} from "./check-verdict.ts";
import { isGlob, matchPath } from "./match-path.ts";
import { readTrialFile } from "./trial-files.ts";

/** Whether one thing holds for what the trial left behind. Never throws for what is checked. */
export async function checkOutput(
  check: OutputCheck,
  subject: CheckSubject,
): Promise<CheckVerdict> {
  const verdict = await look(check, subject);
  if (check.not !== true || verdict.kind === "undecided" || verdict.isVacuous === true) {
    return verdict;
  }
  const passed = !verdict.passed;
  return {
    ...verdict,
    passed,
    score: check.type === "script" ? 1 - verdict.score : passed ? 1 : 0,
  };
}

async function look(check: OutputCheckKind, subject: CheckSubject): Promise<CheckVerdict> {
  const { answer } = subject.trajectory;
  switch (check.type) {
    case "contains":
      return checkContains(check, answer);
    case "equals":
      return checkEquals(check, answer);
    case "regex":
      return checkRegex(check, answer);
    case "number":
      return checkNumber(check, answer);
    case "json-schema":
      return checkJson(check.file, subject, (text) => checkJsonSchema(check, text));
    case "json-path":
      return checkJson(check.file, subject, (text) => checkJsonPath(check, text));
    case "script":
      return checkScript(check, subject);
    case "file-exists":
      return withFile(check.path, subject, (_, path) => decided(true, `${path} is there`), false);
    case "file-contains":
      return withFile(check.path, subject, (content) =>
        checkContains({ type: "contains", value: check.value }, content.toString("utf8")),
      );
    case "file-equals":
      return withFile(check.path, subject, (content) =>
        checkEquals({ type: "equals", value: check.value }, content.toString("utf8")),
      );
    default:
      return withFile(check.path, subject, (content) => {
        const digest = createHash("sha256").update(content).digest("hex");
        return decided(digest === check.sha256.toLowerCase(), `sha256 ${digest}`);
      });
  }
}

function checkJson(
  file: string | undefined,
  subject: CheckSubject,
  judge: (text: string) => CheckVerdict,
): CheckVerdict | Promise<CheckVerdict> {
  if (file === undefined) return judge(subject.trajectory.answer);
  return withFile(file, subject, (content) => judge(content.toString("utf8")));
}

/** So many files of a trial are looked through for a pattern. */
const MAX_FILES = 20_000;

/** What is said about the content of a file that is not there is wrong, negated or not. */
async function withFile(
  path: string,
  { environment: { directory } }: CheckSubject,
  judge: (content: Buffer, path: string) => CheckVerdict,
  isAboutContent = true,
): Promise<CheckVerdict> {
  if (directory === undefined) return undecided("there is no working directory");
  if (!isGlob(path)) return ofFile(path);
  const { entries, truncated } = await walkDirectory(directory, { maxEntries: MAX_FILES });
  const files = entries.filter((entry) => entry.kind === "file" && matchPath(path, entry.path));
  // One that meets the check is enough.
  let last: CheckVerdict | undefined;
  for (const entry of files) {
    const verdict = ofFile(entry.path);
    const evidence = `${entry.path}: ${verdict.evidence}`;
    if (verdict.kind === "decided" && verdict.passed) return { ...verdict, evidence };
    if (last?.kind !== "undecided") last = { ...verdict, evidence };
  }
  if (truncated) return undecided(`there are more than ${MAX_FILES} files`);
  return last ?? missing(`no file matches ${path}`);

  function ofFile(one: string): CheckVerdict {
    const file = readTrialFile(directory ?? "", one);
    if (file.ok) return judge(file.content, one);
    return file.code === "file-missing" ? missing(file.message) : undecided(file.message);
  }

  function missing(message: string): CheckVerdict {
    return isAboutContent ? nothingThere(message) : decided(false, message);
  }
}
