import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { CHROMIUM, launchChromium } from "./chromium.ts";

const SETTLE_MS = 1000;

export interface ReportMeasures {
  readonly bytes: number;
  /** Milliseconds from the address to the page with its first frame, and from an input to the frame after it. */
  readonly open: number;
  /** What of it the page itself worked: less than `open` on a machine that does other things too. */
  readonly openWork: number;
  readonly filter: number;
  /** The first search, which reads all data, and one after it. */
  readonly firstSearch: number;
  readonly search: number;
  readonly openCase: number;
}

/** Of a report in a fresh headless Chromium; the median of the rounds. Undefined without a Chromium. */
export async function measureReport(
  report: string,
  rounds = 5,
): Promise<ReportMeasures | undefined> {
  if (CHROMIUM === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "eval-report-bench-"));
  try {
    const file = join(folder, "report.html");
    writeFileSync(file, report);
    const all: Omit<ReportMeasures, "bytes">[] = [];
    for (let round = 0; round < rounds; round++) {
      const browser = await launchChromium(CHROMIUM);
      try {
        all.push(await measurePage(await browser.newPage(), pathToFileURL(file).href));
      } finally {
        await browser.close();
      }
    }
    const median = (key: keyof Omit<ReportMeasures, "bytes">) =>
      all.map((measures) => measures[key]).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    return {
      bytes: Buffer.byteLength(report),
      open: median("open"),
      openWork: median("openWork"),
      filter: median("filter"),
      firstSearch: median("firstSearch"),
      search: median("search"),
      openCase: median("openCase"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the measures with their bars; gives whether all are within. */
export function printReportMeasures(cases: number, measures: ReportMeasures): boolean {
  const { bytes, ...times } = measures;
  console.log(`HTML report of ${cases} cases in headless Chromium:`);
  const rows = [
    ["megabytes", bytes / 1e6, 15],
    ...Object.entries(times).map(
      ([name, milliseconds]) => [`${name}, s`, milliseconds / 1000, 1] as const,
    ),
  ] as const;
  for (const [name, value, bar] of rows) {
    const verdict = value < bar ? "ok" : "MISS";
    console.log(`  ${name.padEnd(18)}${value.toFixed(2).padStart(8)}   bar < ${bar} ${verdict}`);
  }
  return rows.every(([, value, bar]) => value < bar);
}

async function measurePage(page: Page, url: string): Promise<Omit<ReportMeasures, "bytes">> {
  // The browser's own start is not the report's.
  await page.goto("about:blank");
  await setTimeout(SETTLE_MS);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const started = performance.now();
  await page.goto(url);
  await page.evaluate(NEXT_FRAME);
  const open = performance.now() - started;
  const { metrics } = await session.send("Performance.getMetrics");
  const worked = metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  const timed = async (act: string) =>
    page.evaluate<number>(`(async () => {
      const started = performance.now();
      ${act};
      await ${NEXT_FRAME};
      return performance.now() - started;
    })()`);
  const search = (text: string) =>
    timed(`const field = document.getElementById("search");
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event("input", { bubbles: true }))`);
  const filter = await timed('document.querySelector("[value=failed]").click()');
  const firstSearch = await search("find");
  const later = await search("could not find");
  const openCase = await timed('document.querySelector(".case:not([hidden]) > summary").click()');
  return { open, openWork: worked * 1000, filter, firstSearch, search: later, openCase };
}

/** A frame that is painted: the second of two. */
const NEXT_FRAME =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";
