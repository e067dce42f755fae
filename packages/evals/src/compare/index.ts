/** What tests use of this folder; sources import the files themselves. */

export { isSameRequest } from "./is-same-request.ts";
