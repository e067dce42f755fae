import { createReadStream } from "node:fs";
import { parse } from "csv-parse";

/** Parses a file with csv-parse as its documentation does for large files, in a process of its own. */
const [file = ""] = process.argv.slice(2);
let rows = 0;
const parser = createReadStream(file).pipe(parse());
parser.on("readable", () => {
  while (parser.read() !== null) rows++;
});
parser.on("end", () => console.log(rows));
