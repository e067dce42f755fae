import { createInterface } from "node:readline";
import type { Console } from "../../console.ts";

/** A message; or the person left, with Ctrl-D or with Ctrl-C twice. */
export type ReadLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupt" };

/** Where messages come from. */
export interface InputSource {
  next(): Promise<ReadLine>;
  close(): void;
}

/** One message per line; one that ends with a backslash goes on in the next. */
export function lineSource({ streams: { stdin } }: Console): InputSource {
  if (stdin === undefined) return { next: async () => ({ kind: "end" }), close: () => undefined };
  const lines = createInterface({ input: stdin(), crlfDelay: Number.POSITIVE_INFINITY });
  // Taken at once: lines that come while a turn works wait here.
  const iterator = lines[Symbol.asyncIterator]();
  return {
    async next() {
      let text = "";
      for (;;) {
        const { done, value } = await iterator.next();
        if (done === true) return text === "" ? { kind: "end" } : { kind: "line", text };
        if (!value.endsWith("\\")) return { kind: "line", text: text + value };
        text += `${value.slice(0, -1)}\n`;
      }
    },
    close() {
      lines.close();
      stdin().destroy();
    },
  };
}
