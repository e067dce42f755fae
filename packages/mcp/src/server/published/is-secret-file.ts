import { SECRET_FILES } from "@skillwright/runtime";

/** Templates that are meant to be shared. */
const SHARED = /^\.env\.(?:example|sample|template|dist)$/;
/** Some file systems pass over them in names. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

const PATTERNS = SECRET_FILES.map((pattern) => pattern.split("/").map(nameTest));

/** Whether a file of a skill looks like a secret by its path: nobody means to serve those. */
export function isSecretFile(path: string): boolean {
  const names = path
    .replaceAll(INVISIBLE, "")
    .toLowerCase()
    .split(/[/\\]/)
    .filter((name) => name !== "" && name !== ".");
  return PATTERNS.some((tests) =>
    names.some((_, start) => tests.every((test, index) => test(names[start + index] ?? ""))),
  );
}

/** `*` stands for any part of a name. */
function nameTest(pattern: string): (name: string) => boolean {
  const [head = "", tail] = pattern.toLowerCase().split("*");
  if (tail === undefined) return (name) => name === head;
  return (name) =>
    !SHARED.test(name) &&
    name.length >= head.length + tail.length &&
    name.startsWith(head) &&
    name.endsWith(tail);
}
