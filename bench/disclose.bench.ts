import { measureCatalog } from "./disclose/measure-catalog.ts";
import { measureReads } from "./disclose/measure-reads.ts";
import { measureSearch } from "./search/measure-search.ts";

/** What disclosure costs: tokens of the model, and time beside what the file system needs. */
export async function run(): Promise<void> {
  console.log("## catalog\n");
  const catalog = measureCatalog();
  console.log("\n## reads\n");
  const reads = await measureReads();
  console.log("\n## search\n");
  const search = await measureSearch();
  if (!catalog || !reads || !search) process.exitCode = 1;
}
