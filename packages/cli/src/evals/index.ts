/** What tests use of this folder; sources import the files themselves. */

export { boundHeap } from "./bound-heap.ts";
