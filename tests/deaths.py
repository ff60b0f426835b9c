"""Work that is killed, or meets a full disk, at every step: for scripts that tests of faults run in a child process."""

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

FULL_DISKS = '''
import errno, os

def full_disks(top, calls, work):
    """Do the work in one fork for each call from which on the disk is full, until no call is refused; how many.

    calls: (module, name) of functions that need room. work(folder, watched, told): told(text) keeps a text in
    top/N.said; calls count from where it calls watched().
    """
    count = 0
    while True:
        folder = os.path.join(top, str(count))
        os.mkdir(folder)
        if os.fork() == 0:
            refused = []
            def told(text):
                with open(folder + ".said", "w") as file:
                    file.write(text)
            work(folder, lambda: full_after(count, calls, refused), told)
            os._exit(0 if refused else 7)
        _, status = os.wait()
        count += 1
        if os.waitstatus_to_exitcode(status) == 7:
            return count
        assert status == 0, status

def full_after(left, calls, refused):
    def counted(call):
        def counting(*arguments, **options):
            nonlocal left
            left -= 1
            if left < 0:
                refused.append(call)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*arguments, **options)
        return counting
    for module, name in calls:
        setattr(module, name, counted(getattr(module, name)))
'''
