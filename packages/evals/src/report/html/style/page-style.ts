/** Colours, type, sections. Signs and words carry the meaning; colours only help to find it. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9; --card: #fff; --ink: #1d2126; --soft: #5a616b; --line: #e3e0d9; --tint: #f3f1ec;
  --accent: #2f5d8a; --pass: #17693f; --fail: #ad2a1f; --flaky: #835300; --error: #6d3a9c; --unjudged: #5a616b;
  --bar-pass: #5fae86; --bar-fail: #d9695f; --bar-flaky: #e0a93f; --bar-error: #a57fd0; --bar-unjudged: #b4b8be;
  --right: 23 105 63; --wrong: 173 42 31;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --card: #1c1f23; --ink: #e8e6e1; --soft: #a2a8b0; --line: #32363c; --tint: #23272c;
    --accent: #8ab8e6; --pass: #79cfa2; --fail: #f0958c; --flaky: #e6b960; --error: #c4a3ea; --unjudged: #a2a8b0;
    --bar-pass: #3d8f66; --bar-fail: #b9544b; --bar-flaky: #b5852b; --bar-error: #8460b0; --bar-unjudged: #5c626a;
    --right: 95 190 140; --wrong: 230 120 110;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
.page { max-width: 78rem; margin: 0 auto; padding: 2.5rem 2rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.35; font-weight: 600; letter-spacing: -0.012em; margin: 0 0 1rem; max-width: 44rem; text-wrap: pretty; }
h2 { font-size: 1.2rem; font-weight: 600; letter-spacing: -0.01em; margin: 0 0 1rem; }
h3 { font-size: 0.9375rem; font-weight: 600; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 0.8125rem; font-weight: 600; margin: 1.25rem 0 0.4rem; color: var(--soft); }
p { margin: 0 0 0.75rem; max-width: 46rem; }
small, .quiet { color: var(--soft); font-weight: 400; font-size: 0.8125rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
code, pre, kbd { font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
code { background: var(--tint); border-radius: 0.3rem; padding: 0.12rem 0.4rem; overflow-wrap: anywhere; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 0.3rem; padding: 0 0.35rem; font-size: 0.75rem; }
ul { margin: 0 0 0.75rem; padding-left: 1.2rem; }
ul.plain, ul.flips, ul.mistakes, ul.findings, ul.inline, ul.counts, ul.digests { list-style: none; padding-left: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: 0.5rem 1rem; z-index: 3; }
header { display: grid; grid-template-columns: minmax(0, 1fr) minmax(18rem, 25rem); gap: 2.5rem 3.5rem; align-items: start; }
header.two { grid-template-columns: minmax(0, 1fr); }
.brand { grid-column: 1 / -1; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 2rem; margin: 0 0 -1rem; max-width: none; }
.brand b { font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; padding: 0; margin: 0; font-size: 0.8125rem; }
nav a { color: var(--soft); text-decoration: none; padding: 0.25rem 0; display: inline-block; }
nav a:hover { color: var(--ink); text-decoration: underline; }
.status { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 600; margin: 0 0 0.85rem; padding: 0.2rem 0.85rem 0.2rem 0.65rem; border: 1.5px solid; border-radius: 2rem; }
.status.pass { color: var(--pass); } .status.fail { color: var(--fail); } .status.errors { color: var(--error); }
.status.inconclusive { color: var(--flaky); } .status.no-data { color: var(--unjudged); }
.status-word { text-transform: capitalize; margin-right: 0.25rem; }
.status-word.regression { color: var(--fail); } .status-word.better { color: var(--pass); } .status-word.errors { color: var(--error); } .status-word.inconclusive { color: var(--flaky); }
.next span { color: var(--soft); margin-right: 0.35rem; font-size: 0.8125rem; }
.notes { color: var(--soft); font-size: 0.875rem; max-width: 44rem; }
.since { border-left: 3px solid var(--line); padding-left: 0.9rem; }
.lead { font-size: 1rem; }
.bars { display: grid; gap: 0.25rem; margin-top: 1.5rem; max-width: 44rem; }
.bars h3 { margin: 0.5rem 0 0.35rem; font-size: 0.8125rem; }
.bar { display: block; width: 100%; height: 0.75rem; border-radius: 0.25rem; }
.bar .pass { fill: var(--bar-pass); } .bar .fail { fill: var(--bar-fail); } .bar .flaky { fill: var(--bar-flaky); } .bar .error { fill: var(--bar-error); } .bar .unjudged { fill: var(--bar-unjudged); }
.counts { display: flex; flex-wrap: wrap; gap: 0 1.1rem; margin: 0.3rem 0 0; font-size: 0.8125rem; }
.mark { white-space: nowrap; } .mark b { display: inline-block; min-width: 0.85em; text-align: center; }
.mark.pass { color: var(--pass); } .mark.fail { color: var(--fail); } .mark.flaky { color: var(--flaky); } .mark.error { color: var(--error); } .mark.unjudged { color: var(--unjudged); }
.setup { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); padding: 1rem 1.25rem; font-size: 0.8125rem; }
.setup h2 { font-size: 0.8125rem; margin: 0 0 0.4rem; color: var(--soft); }
.setup table { border-collapse: collapse; width: 100%; }
.setup th, .setup td { text-align: left; vertical-align: top; padding: 0.16rem 0; font-weight: 400; overflow-wrap: anywhere; }
.setup tbody th { color: var(--soft); width: 6.5rem; padding-right: 1rem; white-space: nowrap; }
.setup td + td { padding-left: 1rem; } .setup th + th { padding-left: 1rem; } .setup thead th { font-weight: 600; }
.setup .changed td { font-weight: 600; }
.setup details { margin-top: 0.5rem; }
summary { cursor: pointer; }
.digests li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.15rem 0; }
.digests { max-height: 16rem; overflow: auto; margin: 0.4rem 0 0; }
main > section { margin-top: 3.25rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
dialog { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); color: var(--ink); padding: 1.5rem 2rem; max-width: 28rem; }
dialog::backdrop { background: rgb(0 0 0 / 0.35); }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1.25rem; margin: 0 0 1rem; } dialog dd { margin: 0; }
button, select { font: inherit; font-size: 0.8125rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.25rem 0.65rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
@media (max-width: 60rem) { header { grid-template-columns: minmax(0, 1fr); gap: 1.75rem; } .brand { margin-bottom: 0; } }
@media (max-width: 40rem) { .page { padding: 1.25rem 1rem 4rem; } h1 { font-size: 1.25rem; } main > section { margin-top: 2.25rem; padding-top: 1.25rem; } }
`;
