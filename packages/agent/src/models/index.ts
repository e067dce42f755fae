/** What tests use of this folder; sources import the files themselves. */

export { wireNames } from "./conversation/turns.ts";
export { decisionSchema, systemForText, writtenDecision } from "./conversation/written-decision.ts";
export { isPriced } from "./decorators/is-priced.ts";
export { costOf } from "./decorators/with-cost.ts";
export { checkBaseUrl, endpointUrl, requireBaseUrl } from "./http/endpoint.ts";
export { retryAfter, statusError } from "./http/errors.ts";
export { countOf, encodeJson, parseJson, property } from "./http/json.ts";
export { readBody, readStartOfBody, readWholeBody, UnreadableBodyError } from "./http/read-body.ts";
export { readRulesFile, readSequenceFile } from "./mock/mock-files.ts";
export { addUsage } from "./usage.ts";
