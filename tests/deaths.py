"""Work that is killed at every step: a function for the scripts that tests of faults run in a child process."""

DEATHS = '''
import os, signal

def deaths(top, calls, work):
    """Do the work in one fork for each call after which to die, until a fork lives to its end; how many there were.

    calls: (module, name) of functions. work(folder, watched): each fork has a folder of its own, top/0, top/1, …, and
    calls count from where it calls watched().
    """
    count = 0
    while True:
        folder = os.path.join(top, str(count))
        os.mkdir(folder)
        if os.fork() == 0:
            work(folder, lambda: die_after(count, calls))
            os._exit(0)
        _, status = os.wait()
        count += 1
        if status == 0:
            return count
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status

def die_after(left, calls):
    def counted(call):
        def counting(*arguments, **options):
            nonlocal left
            try:
                return call(*arguments, **options)
            finally:
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1
        return counting
    for module, name in calls:
        setattr(module, name, counted(getattr(module, name)))
'''
