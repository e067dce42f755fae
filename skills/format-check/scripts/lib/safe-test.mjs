import { Script, createContext } from "node:vm";
import { UsageError } from "./command.mjs";

const TIME = 1000;
const sandbox = createContext({ pattern: undefined, text: "" });
const script = new Script("pattern.test(text)");

/** A pattern from a schema or a rule file; a wrong one is an error of that file. */
export function patternOf(source, where) {
  try {
    return new RegExp(source, "u");
  } catch {
    throw new UsageError(`${where}: ${JSON.stringify(source)} is not a regular expression`);
  }
}

/** Whether a text fits. A pattern that could run for ever is stopped, and the check with it. */
export function safeTest(pattern, text) {
  const isHarmless = text.length < 1000 && !/\)[*+{]|[*+}].*[*+{]/.test(pattern.source);
  if (isHarmless) return pattern.test(text);
  Object.assign(sandbox, { pattern, text });
  try {
    return script.runInContext(sandbox, { timeout: TIME });
  } catch (error) {
    if (error?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new UsageError(
      `the pattern ${pattern.source} takes too long for a text of ${text.length} characters`,
    );
  }
}
