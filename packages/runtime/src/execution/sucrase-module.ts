/**
 * A worker imports this module by its URL, since a bundle that inlines sucrase leaves no other way to
 * find it. Import it dynamically, so that bundlers give it a file without side effects. One object,
 * because they would drop a function that only the worker calls.
 */
export const sucraseModule = { url: import.meta.url, load: () => import("sucrase") };
