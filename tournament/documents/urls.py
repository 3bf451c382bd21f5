"""URLs to request, watch and download documents."""

from django.urls import path

from tournament.documents import views

urlpatterns = [
    path("<slug:slug>/request/", views.document_request, name="document_request"),
    path("<slug:slug>/<int:job_id>/", views.document_status, name="document_status"),
    path("<slug:slug>/<int:job_id>/file/", views.document_file, name="document_file"),
]
