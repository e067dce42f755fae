export { describeRunStore } from "./run-store.ts";
