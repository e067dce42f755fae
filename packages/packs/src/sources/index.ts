/** What tests use of this folder; sources import the files themselves. */

export { fetchPack, fetchParsed } from "./fetch-pack.ts";
export { gitFailure } from "./git/git-failure.ts";
export { parseSource } from "./parse/parse-source.ts";
export type { ParsedSource, Place } from "./parse/parsed-source.ts";
export { type ProgramResult, type RunOptions, runProgram } from "./program/run-program.ts";
export { resolveLatest } from "./resolve-latest.ts";
export { latestSourceOf, sourceOf } from "./source-of.ts";
export { isLoopbackName, reachOf } from "./web/address-reach.ts";
export { checkStep } from "./web/check-step.ts";
export { readBody } from "./web/read-body.ts";
export { webContext } from "./web/web-context.ts";
