import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../packages/core/src/format/body/estimate-tokens.ts";
import { tokenSamples } from "./token-samples.ts";

interface Row {
  readonly kind: string;
  readonly o200k: number;
  readonly cl100k: number;
  readonly estimate: number;
}

const TIMED_CHARACTERS = 4_000_000;
const TIMED_ROUNDS = 20;

/** Prints how far the estimate is from real tokenizers, and how fast it is beside them. */
export async function run(): Promise<void> {
  const rows = tokenSamples.map(({ kind, text, tokens }): Row => {
    const o200k = countO200k(text);
    if (o200k !== tokens) console.warn(`stale: ${kind} has ${o200k} tokens, not ${tokens}`);
    return { kind, o200k, cl100k: countCl100k(text), estimate: estimateTokens(text) };
  });
  const overall = rows.reduce(
    (sum, row) => ({
      kind: sum.kind,
      o200k: sum.o200k + row.o200k,
      cl100k: sum.cl100k + row.cl100k,
      estimate: sum.estimate + row.estimate,
    }),
    { kind: "overall", o200k: 0, cl100k: 0, estimate: 0 },
  );
  console.log(line("kind", "o200k", "estimate", "error", "cl100k", "error"));
  for (const row of [...rows, overall]) {
    const { kind, o200k, cl100k, estimate } = row;
    console.log(
      line(kind, o200k, estimate, error(estimate, o200k), cl100k, error(estimate, cl100k)),
    );
  }
  const ascii = tokenSamples.filter(({ text }) => /^[\t\n -~]*$/.test(text));
  const text = ascii.map((sample) => sample.text).join("\n");
  const long = text.repeat(Math.ceil(TIMED_CHARACTERS / text.length));
  console.log(
    `\nestimate  ${megabytesPerSecond(estimateTokens, long, TIMED_ROUNDS)} MB/s of ASCII`,
  );
  console.log(`o200k     ${megabytesPerSecond(countO200k, long, 1)} MB/s of ASCII`);
}

function line(kind: string, ...columns: readonly (number | string)[]): string {
  return kind.padEnd(28) + columns.map((column) => String(column).padStart(10)).join("");
}

function error(estimate: number, real: number): string {
  const percent = (estimate / real - 1) * 100;
  return `${percent < 0 ? "" : "+"}${percent.toFixed(1)} %`;
}

/** The best round counts: the others measure what else the machine was doing. */
function megabytesPerSecond(count: (text: string) => number, text: string, rounds: number): string {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    count(text);
    best = Math.min(best, performance.now() - start);
  }
  return (text.length / 1000 / best).toFixed(1);
}
