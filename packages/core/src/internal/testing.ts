/** What tests use of this folder; sources import the files themselves. */

export { MAY_HIDE, zeroWidth } from "./text.ts";
