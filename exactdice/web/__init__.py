"""A local web application, made from the questions themselves.

Every question that neither reads nor writes files and is not interactive has a form made from its
fields; its answer is a page, JSON and a download at the same address. Worker processes compute
answers under limits of time and memory (`workers`), each once (`desk`); `application` assembles the
pages, `views` rejects requests from other sites, and `serving` is the command ``exactdice serve``.
Starlette, Jinja and uvicorn are in the extra ``web``.
Nothing is loaded from other machines.
"""
