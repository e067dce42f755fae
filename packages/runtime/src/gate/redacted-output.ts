import { createStreamRedactor } from "../audit/redaction/stream-redactor.ts";
import type { Redactor } from "../audit/redaction/redactor.ts";
import type { ExecutionContext } from "../execution/executor.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;

/** Each stream by itself: what is between two parts of a secret belongs to the other one. */
export function redactedOutput(onOutput: OnOutput, redactor: Redactor) {
  const streams = {
    stdout: createStreamRedactor(redactor),
    stderr: createStreamRedactor(redactor),
  };
  const pass = (text: string, stream: keyof typeof streams) => {
    if (text !== "") onOutput(text, stream);
  };
  return {
    write: (text: string, stream: keyof typeof streams) =>
      pass(streams[stream].write(text), stream),
    end() {
      pass(streams.stdout.end(), "stdout");
      pass(streams.stderr.end(), "stderr");
    },
  };
}
