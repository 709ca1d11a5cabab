// The plugin that pytest loads by its name: it narrows a run whose command names no tests of its own.
import type { ChannelTerms } from './terms.ts'

/** As pytest prints it where its environment leads it to the plugin by name, and not to its folder. */
export const PLUGIN_REFUSED = /Error importing plugin "ralph_results"/

export const PLUGIN = 'ralph_results'

export function pytestText(terms: ChannelTerms): string {
  return `import json
import os

TERMS = json.loads(${JSON.stringify(JSON.stringify(terms))})


def say(event, **more):
    line = {"n": TERMS["nonce"], "p": os.getpid(), "r": "pytest", "e": event, **more}
    try:
        with open(TERMS["log"], "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\\n")
    except OSError:
        pass


def is_worker(config):
    return hasattr(config, "workerinput") or "PYTEST_XDIST_WORKER" in os.environ


def named_tests(config):
    source = getattr(config, "args_source", None)
    if source is not None:
        return source.name == "ARGS"
    return list(config.args) != [str(config.invocation_params.dir)]


def pytest_configure(config):
    if is_worker(config) or not TERMS["only"] or named_tests(config):
        return
    here = str(config.invocation_params.dir)
    wanted = [os.path.relpath(os.path.join(TERMS["folder"], path), here) for path in TERMS["only"]]
    inside = [path for path in wanted if not path.startswith("..") and os.path.exists(os.path.join(here, path))]
    if inside:
        config.args = inside
        say("narrowed")
`
}
