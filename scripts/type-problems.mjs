import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";

/** Our packages are ES modules and nothing else: that `require` finds one is what we mean. */
const INTENDED = new Set(["CJSResolvesToESM"]);

/** What are-the-types-wrong finds in a tarball. The command line has no types, and needs none. */
export async function typeProblems(file) {
  const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(file)));
  const { types, problems } = await checkPackage(tarball);
  return types === false ? [] : problems.filter(({ kind }) => !INTENDED.has(kind));
}
