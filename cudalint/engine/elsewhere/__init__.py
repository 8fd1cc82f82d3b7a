"""What the text of a project says of launches that no unit shows: in other files, or in templates that
nothing instantiates.
"""
