/** What tests use of this folder; sources import the files themselves. */

export { wireNames } from "./adapters/turns.ts";
export { decisionSchema, instructionsFor, writtenDecision } from "./adapters/written-decision.ts";
export { costOf, isPriced } from "./decorators/prices.ts";
export { checkBaseUrl, endpointUrl, requireBaseUrl } from "./http/endpoint.ts";
export { retryAfter, statusError } from "./http/errors.ts";
export { readBody, readStartOfBody, readWholeBody, UnreadableBodyError } from "./http/body.ts";
export { countOf, encodeJson, parseJson, property } from "./http/json.ts";
export { addUsage } from "./usage.ts";
