import { join } from "node:path";
import { createFileStates, createMemoryStates } from "@skillwright/core";
import { openTrustStore } from "@skillwright/core/internal";
import { describe, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { describeStateStore, describeTrustStore } from "./index.ts";

const runner = { describe, it };

describeStateStore(runner, "memory", () => {
  const store = createMemoryStates();
  return { store, reopened: () => store };
});

describeStateStore(runner, "a folder", () => {
  const folder = join(temporaryFolder(), "states");
  return { store: createFileStates(folder), reopened: () => createFileStates(folder) };
});

describeTrustStore(runner, "the user's state", async () => {
  const folder = temporaryFolder();
  return { store: await openTrustStore(folder), reopened: () => openTrustStore(folder) };
});

describeTrustStore(runner, "a store of states", async () => {
  const states = createMemoryStates();
  return { store: await openTrustStore(states), reopened: () => openTrustStore(states) };
});
