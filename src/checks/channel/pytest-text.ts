// The plugin that pytest loads by its name: it reports the tests, and narrows a run whose command names no
// tests of its own.
import type { ChannelTerms } from './terms.ts'

/** As pytest prints it where its environment leads it to the plugin by name, and not to its folder. */
export const PLUGIN_REFUSED = /Error importing plugin "ralph_results"/

export const PLUGIN = 'ralph_results'

export function pytestText(terms: ChannelTerms): string {
  return `import json\nimport os\n\nTERMS = json.loads(${JSON.stringify(JSON.stringify(terms))})\n${plugin}`
}

const plugin = `

def say(event, **more):
    line = {"n": TERMS["nonce"], "p": os.getpid(), "r": "pytest", "e": event, **more}
    try:
        with open(TERMS["log"], "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\\n")
    except OSError:
        pass


IS_FIRST = [False]
# A pytest that a test starts is part of that test.
MARK = "PYTEST_FIRST_PROCESS"
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ.setdefault(MARK, str(os.getpid()))


def is_first(config):
    return not hasattr(config, "workerinput") and os.environ.get(MARK) == str(os.getpid())


def named_tests(config):
    source = getattr(config, "args_source", None)
    if source is not None:
        return source.name == "ARGS"
    return list(config.args) != [str(config.invocation_params.dir)]


def pytest_sessionstart(session):
    if is_first(session.config):
        say("start")


def pytest_collectreport(report):
    if report.failed and IS_FIRST[0]:
        say("unloaded", t=report.nodeid)


def pytest_runtest_logreport(report):
    # A part of a test, which is reported as well.
    if not IS_FIRST[0] or type(report).__name__ in ("SubTestReport", "SubtestReport"):
        return
    if report.when == "call":
        if hasattr(report, "wasxfail") or report.skipped:
            say("test", o="skipped", t=report.nodeid)
        elif report.passed or report.failed:
            say("test", o="passed" if report.passed else "failed", t=report.nodeid)
    elif report.skipped:
        say("test", o="skipped", t=report.nodeid)
    elif report.failed:
        say("error", t=report.nodeid)


def pytest_sessionfinish(session):
    if is_first(session.config):
        say("end")


def pytest_configure(config):
    IS_FIRST[0] = is_first(config)
    if not is_first(config) or not TERMS["only"] or named_tests(config):
        return
    here = str(config.invocation_params.dir)
    wanted = [os.path.relpath(os.path.join(TERMS["folder"], path), here) for path in TERMS["only"]]
    inside = [path for path in wanted if not path.startswith("..") and os.path.exists(os.path.join(here, path))]
    if inside:
        config.args = inside
        say("narrowed")
`
