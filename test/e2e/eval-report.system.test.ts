import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CHROMIUM, launchChromium } from "../../bench/eval-report/chromium.ts";
import { exampleRun } from "../../bench/eval-report/example-run.ts";
import {
  compareResults,
  type EvalResults,
  htmlReport,
  type ReportInput,
  summarize,
  type TrialResult,
} from "../../packages/evals/src/index.ts";
import { exampleResults, exampleTrial } from "../support/example-results.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

if (CHROMIUM === undefined) {
  console.warn(
    "SKIPPED: the report is not tested in a browser. Please run: apt-get install -y chromium",
  );
}

let browser: Browser;

/** A page with a report, and everything it complained about or asked the network for. */
async function openReport(
  results: EvalResults,
  options: BrowserContextOptions & { more?: Partial<ReportInput> } = {},
) {
  const { more, ...context } = options;
  const file = join(temporaryFolder(), "report.html");
  writeFileSync(file, htmlReport({ results, summary: summarize(results), ...more }));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...context });
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on("console", (message) => problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => {
    problems.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(?:file|data):/.test(request.url())) problems.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  return { page, problems };
}

function visibleCases(page: Page): Promise<number> {
  return page.locator(".case:visible").count();
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement.textContent.trim().replace(/\\s+/g, ' ')");
}

const grade = {
  metric: "output",
  text: 'contains "42"',
  outcome: "fail",
  score: 0,
  evidence: "saw 41",
} as const;
const step = {
  action: "use_tool",
  subject: "read_file",
  arguments: { path: "a" },
  ok: true,
  observation: "text of a",
  turn: 1,
  atMs: 5,
} as const;

/** Passed, failed, an error; the last is different without the skill. */
const TRIALS: readonly TrialResult[] = [
  exampleTrial({ caseId: "a/1", title: "alpha" }),
  exampleTrial({
    caseId: "a/2",
    title: "beta",
    outcome: "fail",
    grades: [grade],
    answer: "it is 41",
    steps: [step, { ...step, subject: "write_file" }],
  }),
  exampleTrial({
    caseId: "a/3",
    title: "gamma",
    outcome: "error",
    error: { code: "timed-out", message: "slow" },
    grades: [],
  }),
  exampleTrial({ caseId: "a/4", title: "delta" }),
  exampleTrial({
    caseId: "a/2",
    title: "beta",
    arm: "without_skill",
    outcome: "fail",
    grades: [grade],
    steps: [
      { ...step, arguments: { path: "b" } },
      { ...step, subject: "list_directory" },
    ],
  }),
  exampleTrial({
    caseId: "a/4",
    title: "delta",
    arm: "without_skill",
    outcome: "fail",
    grades: [{ ...grade, text: 'contains "done"' }],
  }),
];
const RESULTS = exampleResults(TRIALS, {
  arms: [{ name: "with_skill" }, { name: "without_skill" }],
});

describe.skipIf(CHROMIUM === undefined)("the HTML report in a browser", () => {
  beforeAll(async () => {
    browser = await launchChromium(CHROMIUM ?? "");
  });

  afterAll(() => browser.close());

  it("E-03 opens without a complaint and without the network", async () => {
    const { page, problems } = await openReport(RESULTS);
    expect(await page.locator("h1").textContent()).toContain("Too many errors to judge");
    await page.locator("#case-0 > summary").click();
    expect(problems).toEqual([]);
  });

  it("E-03 filters all, failed, different and errors", async () => {
    const { page } = await openReport(RESULTS);
    for (const [name, count] of Object.entries({ failed: 1, different: 1, errors: 1, all: 4 })) {
      await page.locator(`input[value=${name}]`).check({ force: true });
      await expect.poll(() => visibleCases(page), { message: name }).toBe(count);
    }
    await page.locator("input[value=different]").check({ force: true });
    await expect.poll(() => page.locator(".case:visible .name").textContent()).toContain("delta");
    await expect.poll(() => page.locator(".toolbar output").textContent()).toBe("1 of 4 cases");
  });

  it("E-03 finds words in answers and evidence too, and says when there is nothing", async () => {
    const { page } = await openReport(RESULTS);
    await page.locator("#search").fill("SAW 41 beta");
    await expect.poll(() => visibleCases(page)).toBe(1);
    await page.locator("#search").fill("nowhere to be found");
    await expect.poll(() => visibleCases(page)).toBe(0);
    await expect.poll(() => page.locator(".empty").isVisible()).toBe(true);
  });

  it("E-03 a case shows its grades with evidence, and its steps", async () => {
    const { page } = await openReport(RESULTS);
    await page.locator("#case-0 > summary").click();
    const open = page.locator("#case-0 .inside");
    expect(await open.locator(".grades").first().textContent()).toContain('contains "42"');
    expect(await open.locator(".evidence").first().textContent()).toBe("saw 41");
    await expect.poll(() => open.locator(".timeline").first().locator("li").count()).toBe(2);
    await open.locator(".timeline summary").first().click();
    const steps = open.locator(".timeline").first();
    await expect.poll(() => steps.textContent()).toContain("text of a");
  });

  it("E-03 is used by keyboard alone, with the keys that a browser has", async () => {
    const { page } = await openReport(RESULTS);
    await page.locator("#search").focus();
    await page.keyboard.press("Tab");
    await expect.poll(() => focusedText(page)).toContain("beta");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe(
      "solid",
    );
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#case-0[open] .grades").count()).toBe(2);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#case-0[open]").count()).toBe(0);
  });

  it("E-03 a link opens its case though a filter hides it", async () => {
    const { page } = await openReport(RESULTS);
    await page.locator("input[value=errors]").check();
    await page.evaluate("location.hash = '#case-0'");
    await page.locator("#case-0[open]").waitFor();
    await expect.poll(() => visibleCases(page)).toBe(4);
  });

  it("E-03 hostile text is only text, also in an open case", async () => {
    const text = `</script><img src=x onerror=alert(1)><svg onload=alert(2)><a href="javascript:alert(3)">x</a>`;
    const hostile = exampleTrial({
      caseId: text,
      title: text,
      input: text,
      outcome: "fail",
      answer: text,
      skills: [text],
      expectedSkills: { used: ["pdf"], unused: [], only: true },
      grades: [{ ...grade, text, evidence: `${text}\n${text}` }],
      steps: [{ ...step, action: text, subject: text, observation: text }],
      tags: [text],
    });
    const results = exampleResults([hostile, { ...hostile, arm: "without_skill" }], {
      model: text,
    });
    const { page, problems } = await openReport(results);
    await page.locator("#case-0 > summary").click();
    for (const summary of await page.locator("#case-0 .inside summary").all())
      await summary.click();
    expect(await page.locator("img, svg[onload], a[href^=javascript]").count()).toBe(0);
    expect(await page.locator("#case-0 .request").textContent()).toBe(text);
    expect(problems).toEqual([]);
  });

  it("E-03 refuses a script that somebody adds, and text as HTML", async () => {
    const { page } = await openReport(RESULTS);
    const seen = await page.evaluate<string>(`(() => {
      const script = document.createElement("script");
      try { script.textContent = "window.added = 1"; document.body.append(script); } catch {}
      try { document.body.innerHTML = "<p>x"; return "html"; } catch { return String(window.added); }
    })()`);
    expect(seen).toBe("undefined");
  });

  it("E-03 is dark where the system is, and text stays readable in both", async () => {
    const colors: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await openReport(RESULTS, { colorScheme });
      colors.push(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"));
      const low = await page.evaluate<string[]>(LOW_CONTRAST);
      expect(low, colorScheme).toEqual([]);
    }
    expect(new Set(colors).size).toBe(2);
  });

  it("E-03 prints without tools, with the reasons of what failed", async () => {
    const { page } = await openReport(RESULTS);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".toolbar").isVisible()).toBe(false);
    expect(await page.locator("#case-0 .inside").isVisible()).toBe(true);
    expect(await page.locator("#case-3 .inside").isVisible()).toBe(false);
    expect((await page.pdf({ format: "A4" })).byteLength).toBeGreaterThan(10_000);
  });

  it("E-03 can be read without a script, and on a narrow screen", async () => {
    const { page } = await openReport(RESULTS, {
      javaScriptEnabled: false,
      viewport: { width: 400, height: 800 },
    });
    expect(await page.locator(".toolbar").isVisible()).toBe(false);
    await page.locator("#case-0 > summary").click();
    expect(await page.locator("#case-0 .inside").innerText()).toContain("saw 41");
    const { width } = (await page.locator(".page").boundingBox()) ?? { width: 0 };
    expect(width).toBe(400);
  });

  it("E-04 shows two runs side by side, with what flipped", async () => {
    const before = exampleRun({ cases: 24, trials: 3, seed: 3, arms: ["with_skill"], quality: 1 });
    const now = exampleRun({ cases: 24, trials: 3, seed: 4, arms: ["with_skill"], quality: 0.3 });
    const comparison = compareResults(before, now);
    if (!comparison.ok) throw new Error(comparison.message);
    const { page, problems } = await openReport(now, { more: { comparison, other: before } });
    expect(await page.locator(".status").textContent()).toContain("Worse");
    expect(await page.locator(".since").textContent()).toContain("The cases by themselves");
    await page.locator("#comparison summary").first().click();
    await page.locator("#case-0 > summary").click();
    await expect.poll(() => page.locator("#case-0 .side").count()).toBe(2);
    const first = page.locator("#case-0 .side").first();
    const answer = () => first.locator(".numbers").first().textContent();
    await first.locator(".trials button").nth(0).click();
    const one = await answer();
    await first.locator(".trials button").nth(2).click();
    expect(await first.locator("[aria-pressed=true]").textContent()).toContain("Trial 3");
    expect(await answer()).not.toBe(one);
    expect(problems).toEqual([]);
  });

  it("E-03 two thousand cases are on pages, and a filter finds those that failed", async () => {
    const results = exampleRun({ cases: 2000 });
    const { page, problems } = await openReport(results);
    const range = () => page.locator(".pager output").textContent();
    expect(await page.locator(".case").count()).toBe(100);
    expect(await range()).toBe("1 to 100 of 2,000");
    await page.locator("input[value=failed]").check();
    const isFailed = ({ arm, outcome }: TrialResult) => arm === "with_skill" && outcome === "fail";
    const failed = results.trials.filter(isFailed).length;
    await expect.poll(range).toBe(`1 to 100 of ${failed}`);
    await page.locator("input[value=all]").check();
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(range).toBe("101 to 200 of 2,000");
    expect(await page.locator("#case-100").count()).toBe(1);
    await page.evaluate("location.hash = '#case-742'");
    await page.locator("#case-742[open]").waitFor();
    await expect.poll(() => page.locator("#case-742 .grades").count()).toBeGreaterThan(0);
    await page.locator("#search").fill("(1234)");
    await expect.poll(() => page.locator(".case").count()).toBe(1);
    expect(await page.locator(".pager").isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it("E-03 fits a wide and a narrow window: nothing is wider than the page, no table is cut", async () => {
    const arms = ["with_skill", "without_skill"] as const;
    const before = exampleRun({ cases: 60, trials: 3, seed: 3, arms, quality: 0.95 });
    const now = exampleRun({ cases: 60, trials: 3, seed: 4, arms, quality: 0.5 });
    const comparison = compareResults(before, now);
    if (!comparison.ok) throw new Error(comparison.message);
    for (const width of [1400, 500]) {
      const { page } = await openReport(now, {
        more: { comparison, other: before },
        viewport: { width, height: 900 },
      });
      await page.locator("#case-0 > summary").click();
      for (const summary of await page.locator("details:not(.case) > summary:visible").all()) {
        await summary.click();
      }
      expect(await page.evaluate<string[]>(CUT_OFF), `${width} px`).toEqual([]);
    }
  });
});

/** Elements that reach out of the window, and tables of which a part can neither be seen nor scrolled to. */
const CUT_OFF = `(() => {
  const width = document.documentElement.clientWidth;
  const cut = document.documentElement.scrollWidth > width ? ["the page: " + document.documentElement.scrollWidth] : [];
  const scrolls = (element) => element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  for (const element of document.querySelectorAll(".page *")) {
    if (element.offsetParent === null || element.closest("svg") || element.closest(".skip, .skip-visually, legend")) continue;
    const { right, left, width: own } = element.getBoundingClientRect();
    if (own > 1 && (right > width + 1 || left < -1) && !scrolls(element.parentElement)) cut.push(element.tagName + "." + element.className + " " + Math.round(right));
    if (element.matches(".scroll:has(table.data)") && element.scrollWidth > element.clientWidth + 1) cut.push("scrolls: " + element.ariaLabel);
    if (element.matches("table") && element.scrollWidth > element.clientWidth + 1 && !scrolls(element)) cut.push("table " + element.className);
  }
  return cut;
})()`;

/** Texts whose contrast with what is behind them is less than 4.5, the least for small text. */
const LOW_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, at) => value * a + below[at] * (1 - a));
  const background = (element) => {
    if (element === null) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color[3] === 0 ? background(element.parentElement) : over(color, color[3] === undefined ? color : background(element.parentElement));
  };
  const light = (color) => {
    const [r, g, b] = color.map((value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const low = [];
  for (const element of document.querySelectorAll(".page *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (!hasText || element.closest("svg") || element.offsetParent === null) continue;
    const below = background(element);
    const [a, b] = [light(over(channels(getComputedStyle(element).color), below)), light(below)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(element.className + ": " + element.textContent.trim().slice(0, 30));
  }
  return low;
})()`;
